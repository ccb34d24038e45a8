import CNcurses
import Platform

/// Abilities of the terminal that ncurses does not know, from its name, its description and the environment.
struct TerminalAbilities: Equatable {
    /// A multiplexer between the program and the terminal.
    enum Multiplexer: Equatable {
        case none, tmux, screen
    }

    /// The multiplexer, if there is one that needs its own sequences.
    let multiplexer: Multiplexer
    /// Whether the mouse can be reported.
    let hasMouse: Bool
    /// Whether it reads xterm's sequences. The Linux console reports a mouse too, but has no clipboard, and prints some
    /// unknown sequences.
    let isLikeXterm: Bool
    /// Whether its modes can be requested. Apple's Terminal prints a part of the request.
    let canBeAskedForModes: Bool
    /// Whether it shows every colour.
    let showsTrueColor: Bool

    init(
        name: String, hasMouse: Bool, isInTmux: Bool = false, isInScreen: Bool = false, isApples: Bool = false,
        colors: String? = nil
    ) {
        // Terminals within tmux or screen have their names; an inherited variable alone does not count.
        let isInside = name.hasPrefix("tmux") || name.hasPrefix("screen")
        multiplexer = isInside && isInTmux ? .tmux : isInside && isInScreen ? .screen : .none
        self.hasMouse = hasMouse
        isLikeXterm = hasMouse && !name.hasPrefix("linux")
        canBeAskedForModes = isLikeXterm && multiplexer != .screen && !isApples
        showsTrueColor = isLikeXterm && multiplexer != .screen && TrueColor.isTold(by: colors)
    }

    /// The abilities of the terminal whose description is loaded.
    init() {
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        self.init(
            name: value("TERM"), hasMouse: cn_capability("kmous") != nil, isInTmux: !value("TMUX").isEmpty,
            isInScreen: !value("STY").isEmpty, isApples: value("TERM_PROGRAM") == "Apple_Terminal",
            colors: value("COLORTERM"))
    }
}
