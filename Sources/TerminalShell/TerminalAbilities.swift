import CNcurses
import Platform

/// What the terminal can do that ncurses does not know of, by its name, its description and the environment.
struct TerminalAbilities: Equatable {
    /// What stands between the program and the terminal.
    enum Multiplexer: Equatable {
        case none, tmux, screen
    }

    /// What stands between the program and the terminal, if anything that has to be talked to in its own way.
    let multiplexer: Multiplexer
    /// Whether the mouse can be reported.
    let hasMouse: Bool
    /// Whether it reads what xterm reads. The console of Linux reports a mouse too, but knows no clipboard, and draws
    /// some of what it does not know.
    let isLikeXterm: Bool
    /// Whether it can be asked for its modes. Apple's Terminal draws a part of the question.
    let canBeAskedForModes: Bool
    /// Whether it shows any colour there is.
    let showsTrueColor: Bool

    init(
        name: String, hasMouse: Bool, isInTmux: Bool = false, isInScreen: Bool = false, isApples: Bool = false,
        colors: String? = nil
    ) {
        // Terminals that a tmux or a screen opens have their names; whoever inherited only a variable is somewhere else.
        let isInside = name.hasPrefix("tmux") || name.hasPrefix("screen")
        multiplexer = isInside && isInTmux ? .tmux : isInside && isInScreen ? .screen : .none
        self.hasMouse = hasMouse
        isLikeXterm = hasMouse && !name.hasPrefix("linux")
        canBeAskedForModes = isLikeXterm && multiplexer != .screen && !isApples
        showsTrueColor = isLikeXterm && multiplexer != .screen && TrueColor.isTold(by: colors)
    }

    /// Of the terminal whose description is loaded.
    init() {
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        self.init(
            name: value("TERM"), hasMouse: cn_capability("kmous") != nil, isInTmux: !value("TMUX").isEmpty,
            isInScreen: !value("STY").isEmpty, isApples: value("TERM_PROGRAM") == "Apple_Terminal",
            colors: value("COLORTERM"))
    }
}
