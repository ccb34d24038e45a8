/// The characters that the terminal can show, and the few glyphs of views.
public enum Charset: Sendable {
    /// UTF-8.
    case unicode
    /// Seven-bit ASCII, for locales that are not UTF-8 or on request.
    case ascii

    /// Ends a clipped text.
    public var ellipsis: String { pick("…", "~") }
    /// Replaces what was left out in the middle.
    public var omission: String { pick("…", "...") }
    /// Shows that there is more above.
    public var moreAbove: String { pick("↑", "^") }
    /// Shows that there is more below.
    public var moreBelow: String { pick("↓", "v") }
    /// Divides panes side by side.
    public var verticalLine: String { pick("│", "|") }
    /// Divides panes one above the other.
    public var horizontalLine: String { pick("─", "-") }
    /// Corners of a border: top left, top right, bottom left, bottom right.
    public var corners: (topLeft: String, topRight: String, bottomLeft: String, bottomRight: String) {
        self == .unicode ? ("┌", "┐", "└", "┘") : ("+", "+", "+", "+")
    }
    /// Marks the chosen entry of a list.
    public var checkMark: String { pick("✓", "*") }
    /// Fills the chosen radio button.
    public var bullet: String { pick("•", "*") }
    /// Marks what applies, beside its word.
    public var fullCircle: String { pick("●", "*") }
    /// Marks what does not apply, beside its word.
    public var emptyCircle: String { pick("○", "-") }
    /// At the left edge of the selected line, which is filled there: a space is the shortest thing to send.
    public var pointer: String { pick(" ", ">") }
    /// Separates the parts of a line.
    public var separator: String { pick("·", "-") }

    private func pick(_ unicode: String, _ ascii: String) -> String { self == .unicode ? unicode : ascii }
}
