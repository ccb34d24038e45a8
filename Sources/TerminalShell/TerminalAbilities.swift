import CNcurses
import Platform

/// Abilities of the terminal that ncurses does not report. They are derived from the terminal's name, its description
/// and the environment.
struct TerminalAbilities: Equatable {
    /// A multiplexer between the program and the terminal.
    enum Multiplexer: Equatable {
        case none, tmux, screen
    }

    /// The multiplexer in which the program runs.
    let multiplexer: Multiplexer
    /// Whether the terminal can report mouse events.
    let hasMouse: Bool
    /// Whether the terminal understands xterm's sequences. The Linux console also reports mouse events, but it has no
    /// clipboard and prints some unknown sequences.
    let isLikeXterm: Bool
    /// Whether drawing may be delayed until a frame is complete (mode 2026). Terminals without the mode ignore it.
    let canSynchronize: Bool
    /// Whether the terminal shows 24-bit colours.
    let showsTrueColor: Bool

    init(
        name: String, hasMouse: Bool, isInTmux: Bool = false, isInScreen: Bool = false, colorTerm: String? = nil
    ) {
        // In tmux or screen, `TERM` starts with that name. TMUX or STY alone is no proof, because both may be
        // inherited.
        let isInside = name.hasPrefix("tmux") || name.hasPrefix("screen")
        multiplexer = isInside && isInTmux ? .tmux : isInside && isInScreen ? .screen : .none
        self.hasMouse = hasMouse
        isLikeXterm = hasMouse && !name.hasPrefix("linux")
        canSynchronize = isLikeXterm && multiplexer != .screen
        showsTrueColor = canSynchronize && ["truecolor", "24bit"].contains(colorTerm)
    }

    /// The abilities of the terminal of the environment.
    ///
    /// - Parameter hasMouse: by default, what the loaded description of the terminal says.
    init(hasMouse: Bool = cn_capability("kmous") != nil) {
        func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        self.init(
            name: value("TERM"), hasMouse: hasMouse, isInTmux: !value("TMUX").isEmpty,
            isInScreen: !value("STY").isEmpty, colorTerm: value("COLORTERM"))
    }
}
