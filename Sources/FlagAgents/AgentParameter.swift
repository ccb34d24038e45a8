import FlagModel

/// One argument of a tool.
struct AgentParameter: Sendable {
    /// What an argument may be, for clients as JSON Schema, and in words.
    struct Kind: Sendable {
        let type: String
        let words: String
        var range: ClosedRange<Int>?
        let accepts: @Sendable (JSONValue) -> Bool

        static let text = Kind(type: "string", words: "a text") { $0.text != nil }
        static let bool = Kind(type: "boolean", words: "true or false") { $0.bool != nil }
        /// A flag's value: a text, or the JSON that it is the text of.
        static let value = Kind(type: "string", words: "a text, such as \"true\"") { $0.flagText != nil }
        static let life = Kind(type: "string", words: "a duration such as 2h, or restart, or never") { value in
            value.text.map { OverrideLife(withoutTime: $0.string) != nil } ?? false
        }
        static let texts = Kind(type: "array", words: "a list of texts") { list in
            list.kind == .array && list.elements.allSatisfy { $0.text != nil }
        }

        static func integer(_ range: ClosedRange<Int>) -> Kind {
            let words = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            return Kind(type: "integer", words: words, range: range) { $0.wholeNumber.map(range.contains) ?? false }
        }
    }

    let name: String
    let kind: Kind
    let about: String
    let isRequired: Bool

    init(_ name: String, _ kind: Kind, _ about: String, isRequired: Bool = false) {
        (self.name, self.kind, self.about, self.isRequired) = (name, kind, about, isRequired)
    }

    static let key = AgentParameter("key", .text, "The flag's key.", isRequired: true)
    static let keyOrMatching = AgentParameter("key", .text, "The flag's key; or use matching.")
    static let matching = AgentParameter("matching", .text, "A filter as in list_flags, for many flags.")

    static let ofWrites = [
        AgentParameter("dryRun", .bool, "Only return what would change."),
        AgentParameter(
            "expectedRevision", .integer(0...(1 << 53)),
            "The revision that you have read. If there is a newer one, nothing is changed."),
    ]

    var schema: JSONOutput {
        .object(present: [
            ("type", .string(kind.type)), ("description", .string(about)),
            ("items", kind.type == "array" ? .object([("type", .string("string"))]) : nil),
            ("minimum", kind.range.map { .integer($0.lowerBound) }),
            ("maximum", kind.range.map { .integer($0.upperBound) }),
        ])
    }
}
