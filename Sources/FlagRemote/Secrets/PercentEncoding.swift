/// Percent-encoding, such as `%2F` for a slash.
public enum PercentEncoding {
    /// Encodes a text for one segment of a path or one part of a query: all but the unreserved characters of RFC 3986.
    public static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result += (byte < 16 ? "0" : "").utf8
                result += String(byte, radix: 16, uppercase: true).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes a text. Invalid escapes stay as they are; if the result is not valid UTF-8, the whole text stays as it
    /// is.
    public static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var result: [UInt8] = []
        var remaining = Array(text.utf8)[...]
        while let byte = remaining.popFirst() {
            let digits = remaining.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result.append(value)
                remaining = remaining.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self) ?? text
    }
}
