extension BinaryInteger {
    /// The number with leading zeros, in upper-case letters.
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension Int {
    /// The number and a noun, such as `1 override` and `3 overrides`.
    ///
    /// - Parameters:
    ///   - one: the words after 1, such as `value waits`.
    ///   - many: the words after any other number; by default, `one` and an s.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? "\(one)s")"
    }

    /// A sentence with the number but without a full stop, such as `There is 1 option`.
    package func thereAre(_ one: String, _ many: String? = nil) -> String {
        "There \(self == 1 ? "is" : "are") \(counted(one, many))"
    }
}

extension String {
    /// The text of a value as shown in sentences: two quotes if it is empty.
    package var orQuotes: String { isEmpty ? "\"\"" : self }

    /// The text with a full stop, unless it already ends with a full stop, a question mark or an exclamation mark.
    package var asSentence: String {
        guard let last, !".?!".contains(last) else { return self }
        return self + "."
    }

    /// The text with its first letter in upper case.
    package var capitalized: String { prefix(1).uppercased() + String(dropFirst()) }

    /// The text with its first letter in lower case.
    package var decapitalized: String { prefix(1).lowercased() + String(dropFirst()) }
}

extension Error {
    /// The description as a sentence.
    package var asSentence: String { "\(self)".asSentence }
}
