extension Int {
    /// The number with its words, such as `1 override` and `3 overrides`.
    ///
    /// - Parameters:
    ///   - one: the words behind a single one, such as `value waits`.
    ///   - many: the words behind any other number; those for one with an s where they are left out.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? "\(one)s")"
    }

    /// The same as a sentence about how many there are, without its full stop: `There is 1 option`.
    package func thereAre(_ one: String, _ many: String? = nil) -> String {
        "There \(self == 1 ? "is" : "are") \(counted(one, many))"
    }
}

extension String {
    /// The text as sentences show a value: two quotes where it is empty, as nothing at all cannot be seen.
    package var orQuotes: String { isEmpty ? "\"\"" : self }

    /// The text with what ends a sentence: a full stop, unless it ends as one already, such as with a question.
    package var asSentence: String {
        guard let last, !".?!".contains(last) else { return self }
        return self + "."
    }

    /// The text with a large first letter.
    package var capitalized: String { prefix(1).uppercased() + dropFirst() }

    /// The text with a small first letter.
    package var decapitalized: String { prefix(1).lowercased() + dropFirst() }
}

extension Error {
    /// What it says, with what ends a sentence.
    package var asSentence: String { "\(self)".asSentence }
}
