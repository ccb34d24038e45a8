/// One JSON text as defined by RFC 8259, parsed strictly from UTF-8.
///
/// Besides invalid JSON it rejects duplicate keys (compared decoded), lone surrogates, other encodings, and more than
/// `depthLimit` levels. One byte order mark is accepted. Strings and numbers stay in their original bytes.
public struct JSONDocument: Sendable {
    /// The deepest accepted nesting; hostile input cannot make any user of the value recurse further.
    public static let depthLimit = 128

    /// The longest text in bytes: offsets on the tape have 31 bits.
    public static let sizeLimit = Int(Int32.max)

    /// How to handle a duplicate key in an object. RFC 8259 leaves that to the parser.
    public enum DuplicateKeys: Sendable {
        /// Reject the document: two parsers could see two different values in it.
        case refused
        /// Keep every member; a lookup by key finds the first.
        case kept
    }

    let tape: JSONTape

    /// Parses a whole text. If duplicate keys are kept only the grammar is checked; nothing of ours uses that.
    public init(parsing bytes: [UInt8], duplicateKeys: DuplicateKeys = .refused) throws(JSONError) {
        try self.init(text: TextBytes(bytes), range: 0..<bytes.count, duplicateKeys)
    }

    /// Parses JSON that is the text of a string in another document; places in errors are in this text.
    public init(parsing text: FlagText) throws(JSONError) {
        if text.hasEscapes {
            try self.init(parsing: text.decodedBytes)
        } else {
            try self.init(text: text.storage, range: text.sourceRange, .refused)
        }
    }

    /// Parses JSON that is the text of a string in another document in place, with escaped quotes.
    ///
    /// A catalog of 100,000 flags in a string is 20 MB with an escape before each quote. Decoding it first needs
    /// another 20 MB and another pass over them. But nearly always its only escapes are those of its own quotes, and
    /// between two such quotes a text is the same escaped and not. At anything else, whether an error or an escape in
    /// an escape, the result is `nil`, and the caller decodes the string and parses the result, which also has the
    /// places for messages.
    init?(quotedIn text: FlagText) {
        let range = text.sourceRange
        let nodes = text.storage.bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes: bytes, range: range, .refused, isQuoted: true)
            return (try? reader.readQuoted()).map { reader.nodes }
        }
        guard let nodes else { return nil }
        tape = JSONTape(text: text.storage, start: range.lowerBound, nodes: nodes)
    }

    init(text: TextBytes, range: Range<Int>, _ duplicateKeys: DuplicateKeys) throws(JSONError) {
        guard range.upperBound <= Self.sizeLimit else {
            throw JSONError(line: 1, column: 1, problem: "the text is longer than 2 GiB")
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
            throw JSONError(line: place.line, column: place.column, problem: fault.problem)
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

/// One value, key or closing bracket. Its kind is the byte at its offset, so it needs no field.
struct JSONNode {
    /// The offset of the first byte; for strings the opening quote.
    let offset: UInt32
    /// Scalars: bytes in the source (strings: without the quotes, with `FlagText.escapeBit`).
    /// Opening brackets: the index of the closing node. Closing brackets: the number of elements or members.
    var extent: UInt32

    init(offset: Int, extent: UInt32 = 0) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.extent = extent
    }
}
