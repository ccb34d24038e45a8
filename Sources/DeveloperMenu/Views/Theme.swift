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
    static let match = Style(foreground: .cyan, isBold: true, isUnderlined: true)
    static let matchInSelection = Style(foreground: .black, background: .cyan, isBold: true, isUnderlined: true)
    static let accent = Style(foreground: .cyan)
    static let key = Style.plain.bold()
    static let overridden = Style(foreground: .yellow)
    static let invalid = Style(foreground: .red)
    static let error = Style(foreground: .red, isBold: true)

    /// The style of a flag's value, which is what is read first.
    static func value(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: .plain
        case .overridden, .sameAsRemote, .stale: overridden.bold()
        case .invalid: invalid.bold()
        }
    }

    /// The style of a flag's marker and words.
    static func state(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: faint
        case .overridden, .sameAsRemote, .stale: overridden
        case .invalid: invalid
        }
    }
}
