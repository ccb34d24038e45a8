/// The characters that the terminal can show, and the symbols that views draw with them.
public enum Charset: Sendable {
    /// UTF-8.
    case unicode
    /// UTF-8 for texts, and ASCII for symbols: in a Chinese, Japanese or Korean locale, a terminal may draw `●` and `│`,
    /// whose width is ambiguous (Unicode Standard Annex 11), two cells wide.
    case unicodeText
    /// Seven-bit ASCII, for locales that do not use UTF-8, or on request.
    case ascii

    /// Marks the end of a clipped text.
    public var ellipsis: String { pick("…", "~") }
    /// Replaces the omitted content of a folded value.
    public var omission: String { pick("…", "...") }
    /// Shows that there are more rows above.
    public var moreAbove: String { pick("↑", "^") }
    /// Shows that there are more rows below.
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
    /// Marks an entry that applies.
    public var fullCircle: String { pick("●", "x") }
    /// Marks an entry that does not apply.
    public var emptyCircle: String { pick("○", "-") }
    /// Marks a changed row at its left edge.
    public var bar: String { pick("▌", "*") }
    /// The part of a scroll bar that stands for the rows in view.
    public var scrollBar: String { pick("▐", "|") }
    /// Marks a folded group.
    public var folded: String { pick("▸", "+") }
    /// Separates the parts of a line.
    public var separator: String { pick("·", "-") }

    private func pick(_ unicode: String, _ ascii: String) -> String { self == .unicode ? unicode : ascii }
}
