/// One of the terminal's own colours. The user's theme decides how the colour looks.
public enum Color: UInt8, Sendable, CaseIterable {
    /// The terminal's default foreground or background.
    case standard
    /// ANSI colours 0 to 7.
    case black, red, green, yellow, blue, magenta, cyan, white
    /// Greys of xterm's 256 colours: for faint text, and for the background of a row on dark and on light screens. With
    /// fewer colours, faint text is dim, and the row is in reverse video.
    case grey, darkGrey, lightGrey
    /// A green of xterm's 256 colours that can be read on white.
    case darkGreen

    /// The name, as in frame dumps.
    public var name: String { "\(self)" }
}

/// The style of a cell. States must not differ by colour alone: an attribute such as `isBold` must differ too.
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

    /// This is not synthesized, because the synthesized comparison of two colours is slower than comparing the rest of
    /// a cell.
    public static func == (left: Style, right: Style) -> Bool {
        left.attributes == right.attributes && left.foreground.rawValue == right.foreground.rawValue
            && left.background.rawValue == right.background.rawValue
    }

    /// The attributes in one byte, because frames compare thousands of styles at each key press.
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

    /// Creates a style. The default is the terminal's own style.
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

    /// This style with bold text.
    public func bold() -> Style { changed { $0.isBold = true } }
    /// This style with dim text.
    public func dim() -> Style { changed { $0.isDim = true } }
    /// This style with underlined text.
    public func underlined() -> Style { changed { $0.isUnderlined = true } }
    /// This style with foreground and background exchanged.
    public func reversed() -> Style { changed { $0.isReversed = true } }

    private func changed(_ change: (inout Style) -> Void) -> Style {
        var copy = self
        change(&copy)
        return copy
    }
}
