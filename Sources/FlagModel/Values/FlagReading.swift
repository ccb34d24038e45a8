/// How the stored text of a flag is decoded.
///
/// The words for a bool are those of remote-config clients; numbers are strict, so that a partial number is invalid.
public enum FlagReading {
    /// `true` for `1, true, t, yes, y, on` and `false` for `0, false, f, no, n, off` in any case, and for an empty
    /// text.
    public static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "t", "yes", "y", "on": true
        case "0", "false", "f", "no", "n", "off", "": false
        default: nil
        }
    }

    /// An optional `-` and digits, in the range of `Int`.
    public static func int(_ text: String) -> Int? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }

    /// A JSON number, including exponents, in the range of `Double`; no infinity, no NaN.
    public static func double(_ text: String) -> Double? {
        var text = text
        let isNumber = text.withUTF8 { bytes in
            guard let first = bytes.first, first == UInt8(ascii: "-") || 0x30...0x39 ~= first else { return false }
            return (try? JSONScan.number(bytes, at: 0, end: bytes.count)) == bytes.count
        }
        guard isNumber, let number = Double(text), number.isFinite else { return nil }
        return number
    }
}
