/// One JSON text as defined by RFC 8259, parsed strictly from UTF-8.
///
/// Besides invalid JSON it rejects duplicate keys (compared decoded), lone surrogates, other encodings, and more than
/// `depthLimit` levels. One byte order mark is accepted. Strings and numbers stay in their original bytes.
public struct JSONDocument: Sendable {
    /// The maximum depth of nesting: deeper input could exhaust the stack of recursive code.
    public static let depthLimit = 128

    /// The maximum size of a text in bytes: offsets on the tape have 31 bits.
    public static let sizeLimit = Int(Int32.max)

    /// How to handle a duplicate key in an object. RFC 8259 leaves the choice to the parser.
    public enum DuplicateKeys: Sendable {
        /// Reject the document: two parsers could read different values from it.
        case refused
        /// Keep every member; a lookup by key finds the first.
        case kept
    }

    let tape: JSONTape

    /// Parses a whole text. FlagMenu always refuses duplicate keys; `kept` is for checking only the grammar.
    public init(parsing bytes: [UInt8], duplicateKeys: DuplicateKeys = .refused) throws(JSONError) {
        try self.init(text: TextBytes(bytes), range: 0..<bytes.count, duplicateKeys)
    }

    /// Parses JSON that is the text of a string in another document. The line and column of an error count in this
    /// text.
    public init(parsing text: FlagText) throws(JSONError) {
        try self.init(text: text.storage, range: text.range, .refused)
    }

    private init(text: TextBytes, range: Range<Int>, _ duplicateKeys: DuplicateKeys) throws(JSONError) {
        guard range.upperBound <= Self.sizeLimit else {
            throw JSONError(line: 1, column: 1, issue: "the text is longer than 2 GiB")
        }
        let result = text.bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes: bytes, range: range, duplicateKeys)
            return Result { () throws(JSONFault) in try reader.read() }.map { (reader.nodes, reader.start) }
        }
        switch result {
        case .success(let (nodes, start)):
            tape = JSONTape(text: text, start: start, nodes: nodes)
        case .failure(let fault):
            let start = range.lowerBound + JSONReader.markLength(text.bytes, range)
            var locator = TextLocator(text: text, start: start)
            let place = locator.place(of: fault.offset)
            throw JSONError(line: place.line, column: place.column, issue: fault.issue)
        }
    }

    /// The root value.
    public var root: JSONValue { JSONValue(tape: tape, index: 0) }
}

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
