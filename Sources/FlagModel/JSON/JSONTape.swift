/// The result of parsing: the bytes, and one node of 8 bytes for each value, key and closing bracket.
final class JSONTape: Sendable {
    let text: TextBytes
    /// The start of the text, after a byte order mark.
    let start: Int
    let nodes: [JSONNode]

    init(text: TextBytes, start: Int, nodes: [JSONNode]) {
        self.text = text
        self.start = start
        self.nodes = nodes
    }

    /// The index of the node after the value at `index`, which may be a container with its contents.
    @inline(__always)
    func next(after index: Int) -> Int {
        let node = nodes[index]
        let byte = text.bytes[Int(node.offset)]
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(node.extent) + 1 : index + 1
    }

    /// The text of the string at `index`.
    @inline(__always)
    func string(at index: Int) -> FlagText {
        text.string(nodes[index])
    }
}

/// One value, key or closing bracket. The byte at its offset tells its kind.
struct JSONNode {
    /// The offset of the first byte; for strings the opening quote.
    let offset: UInt32
    /// For a string, the number of bytes between its quotes, plus `escapeBit` if it has escapes; for another
    /// scalar, the number of bytes. For an opening bracket, the index of the closing one; for a closing bracket, the
    /// number of elements or members.
    var extent: UInt32

    static let escapeBit: UInt32 = 1 << 31

    /// Whether a string has escapes.
    var hasEscapes: Bool { extent & Self.escapeBit != 0 }
    /// The number of bytes of a scalar, of a string without its quotes.
    var length: Int { Int(extent & ~Self.escapeBit) }

    init(offset: Int, extent: UInt32 = 0) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.extent = extent
    }
}

extension TextBytes {
    /// The text of a string, or of a key. One with escapes has bytes of its own.
    @inline(__always)
    func string(_ node: JSONNode) -> FlagText {
        let start = Int(node.offset) + 1
        guard node.hasEscapes else { return FlagText(storage: self, start: start, count: node.length) }
        return bytes.withUnsafeBufferPointer { FlagText(bytes: JSONEscapes.decoded($0.part(start, node.length))) }
    }
}
