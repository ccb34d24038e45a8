/// The elements of an array, one after the other.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let tape: JSONTape
    private var index: Int
    private let end: Int

    init(of value: JSONValue, _ isRightKind: Bool) {
        tape = value.tape
        index = value.index + 1
        end = isRightKind ? Int(value.node.extent) : index
    }

    /// The next element.
    public mutating func next() -> JSONValue? {
        guard index < end else { return nil }
        defer {
            index = tape.text.bytes.withUnsafeBufferPointer { DuplicateKeySearch.next(after: index, tape.nodes, $0) }
        }
        return JSONValue(tape: tape, index: index)
    }
}

/// The members of an object, one after the other.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private var elements: JSONElements

    init(elements: JSONElements) { self.elements = elements }

    /// The next member.
    public mutating func next() -> (key: FlagText, value: JSONValue)? {
        guard let key = elements.next()?.text, let value = elements.next() else { return nil }
        return (key, value)
    }
}
