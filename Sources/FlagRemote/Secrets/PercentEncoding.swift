/// Percent-encoding, such as `%2F` for a slash.
public enum PercentEncoding {
    /// Encodes a text for one segment of a path or one part of a query: all but the unreserved characters of RFC 3986.
    public static func encoded(_ text: String) -> String {
        let parts = text.utf8.map { byte in
            unreserved.contains(byte)
                ? String(UnicodeScalar(byte)) : "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
        return parts.joined()
    }

    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

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

    /// The decoded parameters of a query, with the first value of each name. As in forms, a plus is a space.
    package static func parameters(of query: String?) -> [String: String] {
        let pairs = (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                decoded(String($0.replacing("+", with: " ")))
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
