import FlagModel
import TerminalUI

/// The few styles of the menu, in the terminal's own colours. Every one of them only repeats what a marker and a word say.
enum Theme {
    static let plain = Style.plain
    static let title = Style.plain.bold()
    static let header = Style.plain.bold()
    static let faint = Style.plain.dim()
    /// The accent: the selection and nothing else is filled with it.
    static let selection = Style(foreground: .black, background: .cyan)
    // Not in the accent: bold cyan, which terminals draw bright, is lost on white.
    static let match = Style(isBold: true, isUnderlined: true)
    // Not bold: many terminals draw bold black as grey, which is hard to read on the accent.
    static let matchInSelection = Style(foreground: .black, background: .cyan, isUnderlined: true)
    static let accent = Style(foreground: .cyan)
    static let key = Style.plain.bold()
    /// Black on yellow reads on dark and on light backgrounds; yellow letters do not.
    static let overridden = Style(foreground: .black, background: .yellow)
    static let invalid = Style(foreground: .red)
    static let error = Style(foreground: .red, isBold: true)

    /// The style of a flag's value, which is what is read first.
    static func value(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: .plain
        case .overridden, .sameAsRemote, .stale: .plain.bold()
        case .invalid: invalid.bold()
        }
    }

    /// The style of a flag's marker.
    static func marker(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: plain
        case .overridden, .sameAsRemote, .stale: overridden
        case .invalid: Style(foreground: .white, background: .red)
        }
    }

    /// The style of the words about a flag's state.
    static func words(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: faint
        case .overridden, .sameAsRemote, .stale: plain
        case .invalid: invalid
        }
    }
}
