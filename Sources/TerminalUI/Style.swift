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
}

/// The style of a cell. States must not differ by colour alone: an attribute such as `isBold` must differ too.
public struct Style: Sendable, Hashable {
    /// Colour of the character.
    public var foreground: Color
    /// Colour behind the character.
    public var background: Color
    /// Bold, for the most important text.
    public var isBold: Bool
    /// Dim, for the least important text.
    public var isDim: Bool
    /// Underlined.
    public var isUnderlined: Bool
    /// Foreground and background exchanged.
    public var isReversed: Bool

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
