import CNcurses
import TerminalUI

/// Styles for ncurses. Colour pairs are created when they are first needed.
struct Palette {
    private let hasColors: Bool
    private let hasDefaultColors: Bool
    /// Whether the terminal has xterm's 256 colours.
    private let hasManyColors: Bool
    /// The colours of pairs 1, 2 and so on. There are only a few pairs, so a linear search is faster than a table.
    private var pairs: [UInt32] = []

    /// Starts colours if they are allowed and the terminal has colours. Otherwise no colour sequence is sent.
    init(isColorAllowed: Bool) {
        hasColors = isColorAllowed && has_colors() && start_color() == OK
        hasDefaultColors = hasColors && use_default_colors() == OK
        hasManyColors = hasColors && cn_colors() >= 256
    }

    /// The attributes and the colour pair of a style. A tint replaces the style's background if the terminal has 256
    /// colours.
    mutating func attributes(of style: Style, tint: RGB? = nil) -> (attr_t, Int16) {
        var (attributes, style) = (attr_t(0), style)
        if !hasManyColors {
            if style.foreground == .grey { (style.foreground, style.isDim) = (.standard, true) }
            if style.background == .darkGrey || style.background == .lightGrey {
                style.background = .standard
                style.isReversed.toggle()
                // In reverse video, dim letters would have a background of their own.
                style.isDim = false
            }
            if style.foreground == .darkGreen { style.foreground = .green }
        }
        if style.isBold { attributes |= cn_bold() }
        if style.isDim { attributes |= cn_dim() }
        if style.isUnderlined { attributes |= cn_underline() }
        if style.isReversed { attributes |= cn_reverse() }
        let background = tint.flatMap { hasManyColors ? Int16($0.paletteIndex) : nil }
        let pair = pair(style.foreground, style.background, background)
        // Without colours, a filled background such as that of a selection must still be visible.
        if pair == 0, style.background != .standard { attributes |= cn_reverse() }
        return (attributes, pair)
    }

    private mutating func pair(_ foreground: Color, _ background: Color, _ tint: Int16?) -> Int16 {
        guard hasColors, foreground != .standard || background != .standard else { return 0 }
        let key =
            UInt32(foreground.rawValue) << 24 | UInt32(background.rawValue) << 16 | UInt32(tint ?? 0)
        if let index = pairs.firstIndex(of: key) { return Int16(index + 1) }
        let newPair = Int16(pairs.count + 1)
        let text = number(foreground, default: COLOR_WHITE)
        guard newPair < cn_color_pairs(),
            init_pair(newPair, text, tint ?? number(background, default: COLOR_BLACK)) == OK
        else {
            return 0
        }
        pairs.append(key)
        return newPair
    }

    /// The number of a colour in ncurses, from 0. The terminal's default colour is -1, or `fallback` if the terminal
    /// has no default colour.
    private func number(_ color: Color, default fallback: Int32) -> Int16 {
        switch color {
        case .standard: hasDefaultColors ? -1 : Int16(fallback)
        case .grey: 243
        case .darkGrey: 237
        case .lightGrey: 254
        case .darkGreen: 28
        default: Int16(color.rawValue) - 1
        }
    }
}
