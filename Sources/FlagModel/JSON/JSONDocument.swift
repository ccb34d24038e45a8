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
            var reader = JSONReader(text: text, bytes: bytes, range: range, duplicateKeys)
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
