/// Decodes the stored text of a flag.
///
/// A bool may be any word that remote-config clients accept. The whole text of a number must be valid: `12px` is not.
public enum FlagReading {
    /// `true` for `1, true, t, yes, y, on`, in upper or lower case. `false` for `0, false, f, no, n, off`, and for an
    /// empty text. Else `nil`.
    public static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "t", "yes", "y", "on": true
        case "0", "false", "f", "no", "n", "off", "": false
        default: nil
        }
    }

    /// The value of a JSON number without a fraction or an exponent; `nil` for other texts such as `01067`, and beyond
    /// the range of `Int`.
    public static func int(_ text: String) -> Int? { isNumber(text) ? Int(text) : nil }

    /// The value of a JSON number, with or without an exponent; `nil` for other texts, and beyond the range of
    /// `Double`.
    public static func double(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whether the text is a JSON number beyond the range of `Double`.
    static func isOutOfRange(_ text: String) -> Bool { isNumber(text) && double(text) == nil }

    /// Whether the text is a JSON number, even beyond the range of `Double`.
    static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first else { return false }
            return (try? JSONScan(bytes: bytes, end: bytes.count).number(at: 0)) == bytes.count
        }
    }
}
