/// What `\d`, `\s` and `\w` stand for in patterns of Python's `str`.
enum ScalarKind: Hashable {
    case digit
    case space
    case word

    /// - Parameter isASCII: whether `(?a)` leaves ASCII alone.
    func contains(_ value: UInt32, isASCII: Bool) -> Bool {
        if value < 0x80 || isASCII { return containsASCII(value, isASCII) }
        guard let scalar = Unicode.Scalar(value) else { return false }
        return switch self {
        case .digit: scalar.properties.numericType == .decimal
        case .space: PythonText.isSpace(value)
        case .word: Self.isAlphanumeric(scalar)
        }
    }

    private func containsASCII(_ value: UInt32, _ isASCII: Bool) -> Bool {
        switch (self, value) {
        case (.digit, 0x30...0x39), (.space, 0x09...0x0D), (.space, 0x20): true
        case (.space, 0x1C...0x1F): !isASCII
        case (.word, 0x30...0x39), (.word, 0x41...0x5A), (.word, 0x5F), (.word, 0x61...0x7A): true
        default: false
        }
    }

    /// `str.isalnum()`: letters, and whatever has a numeric value.
    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: scalar.properties.numericType != nil
        }
    }
}
