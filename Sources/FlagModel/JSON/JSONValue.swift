/// One value of a document: the index of its node. A value is decoded only when it is used.
public struct JSONValue: Sendable {
    /// The six kinds of JSON values.
    public enum Kind: Sendable { case null, bool, number, string, array, object }

    let document: JSONDocument
    let index: Int

    var node: JSONNode { document.nodes[index] }
    var offset: Int { Int(node.offset) }

    /// The kind of value.
    public var kind: Kind {
        switch document.bytes[offset] {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        default: .number
        }
    }

    /// The value of `true` or `false`, else `nil`.
    public var bool: Bool? { kind == .bool ? document.bytes[offset] == UInt8(ascii: "t") : nil }

    /// The text of a string, else `nil`.
    public var text: FlagText? {
        guard document.bytes[offset] == UInt8(ascii: "\"") else { return nil }
        return FlagText(node, in: document.bytes)
    }

    /// The elements of an array; empty for other kinds.
    public var elements: some Sequence<JSONValue> {
        places(in: .array).lazy.map { JSONValue(document: document, index: $0) }
    }

    /// The members of an object in the order of the text; empty for other kinds.
    public var members: some Sequence<(key: FlagText, value: JSONValue)> {
        places(in: .object).lazy.map { place in
            (FlagText(document.nodes[place], in: document.bytes), JSONValue(document: document, index: place + 1))
        }
    }

    /// Calls a function with each member of an object, in the order of the text. In large documents this takes half the
    /// time of iterating over ``members``, which counts references to the document for each member.
    @inline(__always)
    func forEachMember(_ body: (_ key: FlagText, _ value: JSONValue) -> Void) {
        var place = index + 1
        let end = kind == .object ? Int(node.extent) : place
        while place < end {
            body(FlagText(document.nodes[place], in: document.bytes), JSONValue(document: document, index: place + 1))
            place = document.next(after: place + 1)
        }
    }

    /// The indices of the elements of an array, or of the keys of an object, if the value is of this kind.
    func places(in container: Kind) -> UnfoldSequence<Int, Int> {
        let end = kind == container ? Int(node.extent) : index
        let keyCount = container == .object ? 1 : 0
        return sequence(state: index + 1) { [document] place in
            guard place < end else { return nil }
            defer { place = document.next(after: place + keyCount) }
            return place
        }
    }

    /// The number of elements or members; 0 for other kinds.
    public var count: Int { isContainer ? Int(document.nodes[Int(node.extent)].extent) : 0 }

    /// The member with that key, else `nil`. Searches the members one by one.
    public subscript(_ key: String) -> JSONValue? {
        let key = FlagText(key)
        let place = places(in: .object).first { document.nodes[$0].isString(key, in: document.bytes) }
        return place.map { JSONValue(document: document, index: $0 + 1) }
    }

    /// The value as spelled in the document.
    public var source: String { sourceText.withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// The value as a whole number, if it is one without a fraction or an exponent, and is not too large.
    package var wholeNumber: Int? { kind == .number ? Int(source) : nil }

    /// The value as the text of a flag: the text of a string, the spelling of a number, `true` or `false`, and JSON
    /// without white space for an array or an object. `nil` for null, which counts as no value.
    public var flagText: FlagText? {
        switch kind {
        case .null: nil
        case .string: text
        case .number, .bool: sourceText
        case .array, .object: compactText
        }
    }

    /// The flag type of a JSON value; `nil` for a string, which may have any type, and for null.
    package var flagType: FlagType? {
        switch kind {
        case .bool: .bool
        case .number: FlagReading.int(source) == nil ? .double : .int
        case .array, .object: .json
        case .string, .null: nil
        }
    }

    /// The value as JSON without white space.
    package var compactJSON: String { kind == .string ? source : flagText?.string ?? "null" }

    /// The line and the column of the first byte, from 1. Each call counts from the start of the text.
    public var position: (line: Int, column: Int) {
        var locator = TextLocator(document.bytes, start: document.start)
        return locator.place(of: offset)
    }

    /// Whether the value is an array or an object.
    package var isContainer: Bool { kind == .array || kind == .object }

    /// The value as spelled in the document, a string with its quotes.
    var sourceText: FlagText {
        let end: Int
        switch kind {
        case .array, .object: end = Int(document.nodes[Int(node.extent)].offset) + 1
        case .string: end = offset + node.length + 2
        case .number, .bool, .null: end = offset + node.length
        }
        return FlagText(storage: document.bytes, start: offset, count: end - offset)
    }

    /// A container without white space between its tokens; a slice of the document if there is no white space to
    /// remove.
    private var compactText: FlagText {
        let source = sourceText
        let compact = spelled()
        return compact.count == source.range.count ? source : FlagText(bytes: compact)
    }
}
