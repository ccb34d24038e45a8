/// One of the terminal's own colours, whose appearance the user's theme decides.
public enum Color: UInt8, Sendable, CaseIterable {
    /// The terminal's default foreground or background.
    case standard
    /// ANSI colours 0 to 7.
    case black, red, green, yellow, blue, magenta, cyan, white

    /// The name, as in frame dumps.
    public var name: String { "\(self)" }
}

/// The style of a cell. Colour is never the only difference between two states: an attribute such as `isBold` differs
/// too.
public struct Style: Sendable, Hashable {
    /// Colour of the character.
    public var foreground: Color
    /// Colour behind the character.
    public var background: Color
    /// Bold, for the most important text.
    public var isBold: Bool {
        get { self[.bold] }
        set { self[.bold] = newValue }
    }
    /// Dim, for the least important text.
    public var isDim: Bool {
        get { self[.dim] }
        set { self[.dim] = newValue }
    }
    /// Underlined.
    public var isUnderlined: Bool {
        get { self[.underlined] }
        set { self[.underlined] = newValue }
    }
    /// Foreground and background exchanged.
    public var isReversed: Bool {
        get { self[.reversed] }
        set { self[.reversed] = newValue }
    }

    /// Written by hand, because the synthesized comparison of two colours is slower than comparing the rest of a cell.
    public static func == (left: Style, right: Style) -> Bool {
        left.attributes == right.attributes && left.foreground.rawValue == right.foreground.rawValue
            && left.background.rawValue == right.background.rawValue
    }

    /// The attributes in one byte, because frames compare thousands of styles for each key.
    private var attributes: UInt8 = 0

    private enum Attribute: UInt8 {
        case bold = 1
        case dim = 2
        case underlined = 4
        case reversed = 8
    }

    private subscript(attribute: Attribute) -> Bool {
        get { attributes & attribute.rawValue != 0 }
        set { attributes = newValue ? attributes | attribute.rawValue : attributes & ~attribute.rawValue }
    }

    /// A style; by default the terminal's own.
    public init(
        foreground: Color = .standard,
        background: Color = .standard,
        isBold: Bool = false,
        isDim: Bool = false,
        isUnderlined: Bool = false,
        isReversed: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.isBold = isBold
        self.isDim = isDim
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
    }

    /// The terminal's own style.
    public static let plain = Style()

    /// This style, bold.
    public func bold() -> Style { changed { $0.isBold = true } }
    /// This style, dim.
    public func dim() -> Style { changed { $0.isDim = true } }
    /// This style, underlined.
    public func underlined() -> Style { changed { $0.isUnderlined = true } }
    /// This style, reversed.
    public func reversed() -> Style { changed { $0.isReversed = true } }

    private func changed(_ change: (inout Style) -> Void) -> Style {
        var copy = self
        change(&copy)
        return copy
    }
}
