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

    /// Whether a string has a text.
    func isString(_ string: FlagText, in bytes: [UInt8]) -> Bool {
        (hasEscapes || length == string.range.count) && FlagText(self, in: bytes) == string
    }

    init(offset: Int, extent: UInt32 = 0) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.extent = extent
    }
}

extension FlagText {
    /// The text of a string, or of a key. One with escapes has bytes of its own.
    @inline(__always)
    init(_ node: JSONNode, in bytes: [UInt8]) {
        let start = Int(node.offset) + 1
        if node.hasEscapes {
            self.init(bytes: bytes.withUnsafeBufferPointer { JSONEscapes.decoded($0.part(start, node.length)) })
        } else {
            self.init(storage: bytes, start: start, count: node.length)
        }
    }
}
