import FlagModel
import TerminalUI

/// The styles of the menu, in the terminal's own colours. A style is never the only sign of a state: a marker or a word
/// shows the state as well.
public struct Theme: Sendable, Equatable {
    /// Text of normal importance.
    let plain: Style = .plain
    /// A title, or another important name or value.
    var title = Style.plain.bold()
    /// A heading.
    var header = Style.plain.bold()
    /// The least important text.
    var faint = Style.plain.dim()
    /// Whether the selected row of the list is filled with ``selection``; if not, it only has a pointer.
    var fillsSelection = true
    /// The selected row or entry.
    var selection = Style(foreground: .black, background: .cyan)
    /// The pointer at the left edge of the selected row, if the row is not filled.
    var pointer = Style(background: .cyan)
    /// Matched letters.
    // Not in cyan: bold cyan, which terminals draw bright, is hard to read on white.
    var match = Style(isBold: true, isUnderlined: true)
    /// Matched letters in a filled row.
    // Not bold: many terminals draw bold black as grey, which is hard to read on cyan.
    var matchInSelection = Style(foreground: .black, background: .cyan, isUnderlined: true)
    /// Borders and bars.
    var accent = Style(foreground: .cyan)
    /// A key that can be pressed.
    var key = Style.plain.bold()
    /// The marker of an overridden flag, and the number of overrides.
    // Black on yellow is readable on dark and on light backgrounds; yellow letters are not.
    var overridden = Style(foreground: .black, background: .yellow)
    /// A value that is invalid for its type.
    var invalid = Style(foreground: .red)
    /// An error.
    var error = Style(foreground: .red, isBold: true)
    /// The marker of a flag whose override is invalid for its type.
    // Reversed, so that the letter has the background's colour: some palettes have a dark red, others a light red.
    var invalidMarker = Style(foreground: .red, isReversed: true)

    /// For dark and for unknown backgrounds.
    public static let dark = Theme()

    /// The style of a flag's value.
    func value(_ state: OverrideState) -> Style {
        switch state {
        case .notSet: .plain
        case .overridden, .sameAsRemote, .stale: .plain.bold()
        // An invalid override is not used: the value is from another layer, and is valid.
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
    func style(of state: OverrideState) -> Style {
        switch state {
        case .notSet: faint
        case .overridden, .sameAsRemote, .stale: plain
        case .invalid: invalid
        }
    }

    /// The style of a message.
    func style(of kind: MenuState.Message.Kind) -> Style {
        switch kind {
        case .updates, .change: title
        case .rejection, .elsewhere: plain
        case .error: error
        }
    }
}
