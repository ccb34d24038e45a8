import FlagModel
import TerminalUI

/// The few styles of the menu, in the terminal's own colours. Each only repeats what a marker and a word show.
public struct Theme: Sendable, Equatable {
    /// Text of normal importance.
    let plain: Style = .plain
    /// The name of the current subject.
    var title = Style.plain.bold()
    /// The name of a category or a part.
    var header = Style.plain.bold()
    /// The least important text.
    var faint = Style.plain.dim()
    /// Whether the selected row of the list is filled with the accent, besides its pointer.
    var fillsSelection = true
    /// The accent: only the selection is filled with it.
    var selection = Style(foreground: .black, background: .cyan)
    /// The pointer at the left edge of the selected row, if the row itself is not filled.
    var pointer = Style(background: .cyan)
    // Not in the accent: bold cyan, which terminals draw bright, is hard to read on white.
    var match = Style(isBold: true, isUnderlined: true)
    // Not bold: many terminals draw bold black as grey, which is hard to read on the accent.
    var matchInSelection = Style(foreground: .black, background: .cyan, isUnderlined: true)
    /// Borders and bars.
    var accent = Style(foreground: .cyan)
    /// A key that can be pressed.
    var key = Style.plain.bold()
    /// Black on yellow is readable on dark and on light backgrounds; yellow letters are not.
    var overridden = Style(foreground: .black, background: .yellow)
    /// A value that is invalid for its type.
    var invalid = Style(foreground: .red)
    /// An error.
    var error = Style(foreground: .red, isBold: true)
    /// The marker of a flag whose override is invalid for its type.
    // In the terminal's background colour, as some palettes have a dark red and some a light one.
    var invalidMarker = Style(foreground: .red, isReversed: true)

    /// For dark backgrounds, and for terminals that do not report theirs.
    public static let dark = Theme()

    /// The style of a flag's value, the most important text.
    func value(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: .plain
        case .overridden, .sameAsRemote, .stale: .plain.bold()
        // An invalid override is not used: the value is that of another layer, and valid.
        case .invalid: .plain
        }
    }

    /// The style of a flag's marker.
    func marker(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: plain
        case .overridden, .sameAsRemote, .stale: overridden
        case .invalid: invalidMarker
        }
    }

    /// The style of the words about a flag's state.
    func words(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: faint
        case .overridden, .sameAsRemote, .stale: plain
        case .invalid: invalid
        }
    }

    /// The style of a message.
    func style(of kind: MenuState.Message.Kind) -> Style {
        switch kind {
        case .news, .change: title
        case .refusal, .elsewhere: plain
        case .error: error
        }
    }
}
