/// A regular expression that means the same in every language: ASCII text, `.`, escaped punctuation, `^` at the start,
/// `$` at the end, and alternatives separated by `|`. A match takes at most as many steps as the product of the lengths
/// of pattern and text.
struct SimplePattern {
    /// One alternative. In `bytes`, `nil` matches any character.
    private struct Alternative {
        var isAtStart = false
        var isAtEnd = false
        var bytes: [UInt8?] = []
    }

    private var alternatives = [Alternative()]
    private let ignoringCase: Bool

    /// A pattern; `nil` if the text uses any other syntax.
    init?(_ text: String, ignoringCase: Bool) {
        self.ignoringCase = ignoringCase
        var remaining = Array((ignoringCase ? text.lowercased() : text).utf8)[...]
        guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        while let byte = remaining.popFirst() {
            let last = alternatives.count - 1
            // After `$`, only another alternative may follow.
            guard byte == UInt8(ascii: "|") || !alternatives[last].isAtEnd else { return nil }
            switch byte {
            case UInt8(ascii: "|"): alternatives.append(Alternative())
            case UInt8(ascii: "^") where alternatives[last].bytes.isEmpty && !alternatives[last].isAtStart:
                alternatives[last].isAtStart = true
            case UInt8(ascii: "$"): alternatives[last].isAtEnd = true
            case UInt8(ascii: "."): alternatives[last].bytes.append(nil)
            case UInt8(ascii: "\\"):
                guard let escaped = remaining.popFirst(), Self.isPunctuation(escaped) else { return nil }
                alternatives[last].bytes.append(escaped)
            default:
                guard !"^*+?()[]{}".utf8.contains(byte) else { return nil }
                alternatives[last].bytes.append(byte)
            }
        }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        !(0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: " "))
    }

    /// Whether the pattern occurs in a text; `nil` if the text has characters that languages treat differently.
    func matches(_ text: String) -> Bool? {
        guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        let bytes = Array((ignoringCase ? text.lowercased() : text).utf8)
        return alternatives.contains { Self.occurs($0, in: bytes) }
    }

    private static func occurs(_ alternative: Alternative, in bytes: [UInt8]) -> Bool {
        let wanted = alternative.bytes
        guard wanted.count <= bytes.count else { return false }
        let first = alternative.isAtEnd ? bytes.count - wanted.count : 0
        let last = alternative.isAtStart ? 0 : bytes.count - wanted.count
        guard first <= last else { return false }
        return (first...last).contains { start in
            wanted.indices.allSatisfy { wanted[$0] == nil || wanted[$0] == bytes[start + $0] }
        }
    }
}
