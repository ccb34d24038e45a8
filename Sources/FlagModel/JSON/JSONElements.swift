/// The elements of an array, in order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private var contents: JSONContents

    init(of value: JSONValue, _ isRightKind: Bool) { contents = JSONContents(of: value, isRightKind) }

    /// The next element.
    public mutating func next() -> JSONValue? {
        guard let index = contents.next(0) else { return nil }
        return JSONValue(tape: contents.tape, index: index)
    }
}

/// The members of an object, in order.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private var contents: JSONContents

    init(of value: JSONValue, _ isRightKind: Bool) { contents = JSONContents(of: value, isRightKind) }

    /// The next member.
    public mutating func next() -> (key: FlagText, value: JSONValue)? {
        guard let index = contents.next(1) else { return nil }
        return (contents.tape.string(at: index), JSONValue(tape: contents.tape, index: index + 1))
    }
}

/// An iterator over the elements of an array or the members of an object.
private struct JSONContents: Sendable {
    let tape: JSONTape
    private var index: Int
    private let end: Int

    init(of value: JSONValue, _ isRightKind: Bool) {
        tape = value.tape
        index = value.index + 1
        end = isRightKind ? Int(value.node.extent) : index
    }

    /// The index of the next element or member; `nil` at the end. `keyCount` is 0 in an array and 1 in an object.
    @inline(__always)
    mutating func next(_ keyCount: Int) -> Int? {
        guard index < end else { return nil }
        defer { index = tape.next(after: index + keyCount) }
        return index
    }
}

extension JSONTape {
    /// The index of the node after the value at `index`, which may be a container with its contents.
    @inline(__always)
    func next(after index: Int) -> Int {
        let node = nodes[index]
        let byte = text.bytes[Int(node.offset)]
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(node.extent) + 1 : index + 1
    }

    /// Calls `body` with the indices of the key and of the value of each member.
    @inline(__always)
    func forEachMember(of container: Int, _ body: (_ key: Int, _ value: Int) -> Void) {
        var index = container + 1
        let end = Int(nodes[container].extent)
        while index < end {
            body(index, index + 1)
            index = next(after: index + 1)
        }
    }

    /// Whether the node at `index` is a string.
    @inline(__always)
    func isString(at index: Int) -> Bool { text.bytes[Int(nodes[index].offset)] == UInt8(ascii: "\"") }

    /// Whether the string at `index` is this word.
    @inline(__always)
    func isWord(_ word: StaticString, at index: Int) -> Bool {
        let node = nodes[index]
        if node.hasEscapes { return string(at: index).isWord(word) }
        guard Int(node.extent) == word.utf8CodeUnitCount else { return false }
        return text.bytes.withUnsafeBufferPointer {
            $0.part(Int(node.offset) + 1, word.utf8CodeUnitCount)
                .isEqual(to: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
    }

    /// The text of the string at `index`.
    @inline(__always)
    func string(at index: Int) -> FlagText {
        let node = nodes[index]
        let start = Int(node.offset) + 1
        guard node.hasEscapes else { return FlagText(storage: text, start: start, count: node.length) }
        return text.bytes.withUnsafeBufferPointer { FlagText(bytes: JSONEscapes.decoded($0.part(start, node.length))) }
    }
}
