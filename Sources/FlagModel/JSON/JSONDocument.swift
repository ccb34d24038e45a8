/// One JSON text as defined by RFC 8259, parsed strictly from UTF-8.
///
/// Besides invalid JSON it rejects duplicate keys (compared decoded), lone surrogates, other encodings, and more than
/// `depthLimit` levels. One byte order mark is accepted. Strings and numbers stay in their original bytes.
public final class JSONDocument: Sendable {
    /// The maximum depth of nesting: deeper input could exhaust the stack of recursive code.
    public static let depthLimit = 128

    /// The maximum size of a text in bytes: offsets of nodes have 31 bits.
    public static let sizeLimit = Int(Int32.max)

    let bytes: [UInt8]
    /// The start of the text, after a byte order mark.
    let start: Int
    /// One node for each value, key and closing bracket.
    let nodes: [JSONNode]

    /// Parses a whole text.
    public convenience init(parsing bytes: [UInt8]) throws(JSONError) {
        try self.init(parsing: FlagText(bytes: bytes))
    }

    /// Parses JSON that is the text of a string in another document. The line and column of an error count in this
    /// text.
    public init(parsing text: FlagText) throws(JSONError) {
        let (bytes, range) = (text.storage, text.range)
        guard bytes.count <= Self.sizeLimit else {
            throw JSONError(line: 1, column: 1, issue: "the text is longer than 2 GiB")
        }
        let start = range.lowerBound + (bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let result = bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(text: bytes, bytes: buffer, range: start..<range.upperBound)
            return Result { () throws(JSONFault) in try reader.read() }.map { reader.nodes }
        }
        switch result {
        case .success(let nodes): (self.bytes, self.start, self.nodes) = (bytes, start, nodes)
        case .failure(let fault):
            var locator = TextLocator(bytes, start: start)
            let place = locator.place(of: fault.offset)
            throw JSONError(line: place.line, column: place.column, issue: fault.issue)
        }
    }

    /// The root value.
    public var root: JSONValue { JSONValue(document: self, index: 0) }

    /// The index of the node after the value at `index`, which may be a container with its contents.
    @inline(__always)
    func next(after index: Int) -> Int {
        let node = nodes[index]
        let byte = bytes[Int(node.offset)]
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? Int(node.extent) + 1 : index + 1
    }
}
