import Platform
import TerminalUI

/// A response of the terminal to one of the requests at the start.
enum TerminalReply: Equatable {
    /// The response to `ESC ] 11 ; ? BEL`: the background.
    case background(TerminalBackground)
    /// The response to `ESC [ c`. This request is sent last and every terminal responds to it, so no other response
    /// follows.
    case attributes

    static let backgroundQuery = Array("\u{1B}]11;?\u{7}".utf8)
    static let lastQuery = Array("\u{1B}[c".utf8)

    /// The response in a control sequence; `content` is between `ESC [` and the last byte.
    init?(control content: [UInt8], last: UInt8) {
        guard last == UInt8(ascii: "c"), content.first == UInt8(ascii: "?") else { return nil }
        self = .attributes
    }

    /// The response in an operating system command; `content` is between `ESC ]` and the end of the command.
    init?(operatingSystem content: [UInt8]) {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("11;"), let background = BackgroundColor.background(reply: text.dropFirst(3)) else {
            return nil
        }
        self = .background(background)
    }
}

/// Finds out the terminal's background from the terminal's response or the environment.
enum BackgroundColor {
    /// The relative luminance on which black and white text have the same contrast. By WCAG's definition of contrast,
    /// (1 + 0.05) / (L + 0.05) then equals (L + 0.05) / 0.05.
    private static let lightThreshold = 0.179

    /// The background in the response to OSC 11; `nil` for any other text. A response is `rgb:RRRR/GGGG/BBBB` with one
    /// to four hexadecimal digits per component, `rgba:` with a fourth component, or `#RRGGBB`.
    static func background(reply: Substring) -> TerminalBackground? {
        let components: [Substring]
        if reply.hasPrefix("#") {
            let digits = reply.dropFirst()
            guard digits.count % 3 == 0 else { return nil }
            let length = digits.count / 3
            components = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
        } else {
            guard reply.hasPrefix("rgb:") || reply.hasPrefix("rgba:") else { return nil }
            components = reply.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        }
        let fractions = components.prefix(3).compactMap(fraction)
        guard fractions.count == 3 else { return nil }
        return luminance(fractions) > lightThreshold ? .light : .dark
    }

    /// The background in `COLORFGBG`, which rxvt, Konsole and other terminals set; `nil` for any other text. The
    /// variable contains numbers of ANSI colours, and the last number is the background.
    static func background(environment: Substring) -> TerminalBackground? {
        guard environment.contains(";"), let last = environment.split(separator: ";").last, let number = Int(last)
        else {
            return nil
        }
        switch number {
        case 0...6, 8: return .dark
        case 7, 9...15: return .light
        default: return nil
        }
    }

    /// The value of a component's hexadecimal digits as a fraction of the largest number with the same number of
    /// digits.
    private static func fraction(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), let value = UInt16(digits, radix: 16), digits.first != "+" else {
            return nil
        }
        return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }

    /// WCAG's relative luminance of an sRGB colour.
    private static func luminance(_ fractions: [Double]) -> Double {
        let linear = fractions.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
