extension FlagType {
    /// Why the text is not valid as a value, as a sentence; `nil` if it is valid.
    public func invalidReason(to text: String) -> String? {
        guard !accepts(text) else { return nil }
        return switch self {
        case .bool: "Not a bool. Write true or false."
        case .int where isNumber(text): "Out of range: an int is between \(Int.min) and \(Int.max)."
        case .int: "Not an int. Write digits, with a leading - if negative."
        case .double where isNumber(text): "Out of range: a double is at most 1.7976931348623157e308."
        case .double: "Not a double. Write a number such as 0.5 or 1e3."
        case .json: Self.jsonError(text)
        case .string: nil
        }
    }

    /// Whether the text is a number of this type's form, even if it is out of range.
    private func isNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        let isWhole = !digits.isEmpty && digits.allSatisfy { 0x30...0x39 ~= $0 }
        guard self == .double, bytes.first.map({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }) == true else {
            return isWhole
        }
        return bytes.withUnsafeBufferPointer { (try? JSONScan.number($0, at: 0, end: $0.count)) == bytes.count }
    }

    private static func jsonError(_ text: String) -> String {
        do {
            _ = try JSONDocument(parsing: FlagText(text))
            return "Not a JSON value."
        } catch {
            return "Not JSON: \(error.asSentence)"
        }
    }
}
