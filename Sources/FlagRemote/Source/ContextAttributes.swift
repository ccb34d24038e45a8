public import FlagModel

/// Attributes of an evaluation context, by name.
///
/// ```swift
/// let attributes: ContextAttributes = ["plan": "pro", "age": 42]
/// ```
public struct ContextAttributes: Sendable, Hashable {
    /// The attributes as JSON without white space, sorted by name, so that equal attributes have equal requests.
    public let json: String

    /// Attributes by name; none by default.
    public init(_ attributes: FlagTable<ContextValue> = [:]) {
        json = ContextValue.members(attributes).json.text(indented: false)
    }

    /// Attributes from settings.
    ///
    /// - Returns: `nil` if the value is not an object.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        self.init(
            members: FlagTable(value.members.map { ($0.key.string, $0.value.compactJSON) }) { first, _ in first })
    }

    /// Attributes whose values are given as JSON.
    package init(members: FlagTable<String>) {
        json = JSONOutput.object(members.sortedByKey.map { ($0.key, .raw($0.value)) })
            .text(indented: false)
    }

    /// The attributes as a JSON object.
    package var object: JSONValue? { (try? JSONDocument(parsing: Array(json.utf8)))?.root }
}

extension ContextAttributes: ExpressibleByDictionaryLiteral {
    /// Attributes by name; if a name occurs more than once, its last value counts.
    public init(dictionaryLiteral elements: (String, ContextValue)...) {
        self.init(FlagTable(elements) { _, last in last })
    }
}

extension ContextValue {
    /// The value of JSON; `nil` for an object, for `null`, and for a list with one of them.
    package init?(_ json: JSONValue) {
        switch json.kind {
        case .string: self = .text(json.text?.string ?? "")
        case .bool: self = .bool(json.bool ?? false)
        case .number:
            guard
                let number = Int(json.source).map(ContextValue.integer) ?? Double(json.source).map(ContextValue.number)
            else { return nil }
            self = number
        case .array:
            let values = json.elements.compactMap { ContextValue($0) }
            guard values.count == json.count else { return nil }
            self = .list(values)
        case .object, .null: return nil
        }
    }
}

extension JSONValue {
    /// The members of an object, each converted by `read`; `nil` if this is not an object, or a member is not valid.
    package func table<Value>(_ read: (JSONValue) -> Value?) -> FlagTable<Value>? {
        guard kind == .object else { return nil }
        var table: FlagTable<Value> = [:]
        for (key, member) in members {
            guard let value = read(member) else { return nil }
            table[key.string] = value
        }
        return table
    }

    /// A string, a number or a Boolean as a text; `nil` for other values.
    package var scalarText: String? { isContainer ? nil : flagText?.string }

    /// An ID: a string or a number that is not empty, as a text; `nil` for other values.
    package var idText: String? {
        guard kind == .string || kind == .number, let text = flagText, !text.isEmpty else { return nil }
        return text.string
    }
}

extension FlagText {
    /// Words, separated by commas; `nil` if there are none.
    package init?(listing words: [String?]) {
        let words = words.compactMap { $0 }.filter { !$0.isEmpty }
        guard !words.isEmpty else { return nil }
        self.init(words.joined(separator: ", "))
    }
}
