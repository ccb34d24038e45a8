import Platform
import TerminalUI

/// The terminal's background, from the terminal's response or the environment.
enum BackgroundColor {
    /// Black and white text have the same contrast on this relative luminance: (1 + 0.05) / (L + 0.05) equals
    /// (L + 0.05) / 0.05, with WCAG's definition of contrast.
    private static let border = 0.179

    /// From the response to OSC 11, `rgb:RRRR/GGGG/BBBB` with one to four hexadecimal digits per part, `rgba:` with one
    /// part more, or `#RRGGBB`.
    static func background(answer: Substring) -> TerminalBackground? {
        let parts: [Substring]
        if answer.hasPrefix("#") {
            let digits = answer.dropFirst()
            guard digits.count % 3 == 0 else { return nil }
            let length = digits.count / 3
            parts = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
        } else {
            guard answer.hasPrefix("rgb:") || answer.hasPrefix("rgba:") else { return nil }
            parts = answer.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        }
        let shares = parts.prefix(3).compactMap(share)
        guard shares.count == 3 else { return nil }
        return luminance(shares) > border ? .light : .dark
    }

    /// From `COLORFGBG`, which rxvt, Konsole and others set: the numbers of two ANSI colours, the background's last.
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

    /// A part as a share of the largest number with its digits.
    private static func share(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), let value = UInt16(digits, radix: 16), digits.first != "+" else {
            return nil
        }
        return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }

    /// WCAG's relative luminance, of sRGB.
    private static func luminance(_ shares: [Double]) -> Double {
        let linear = shares.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
