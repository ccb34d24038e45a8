/// One JSON text as RFC 8259 defines it, read strictly from UTF-8.
///
/// Refused besides what is no JSON: duplicate keys (compared decoded), lone surrogates, other encodings, and more than
/// `depthLimit` levels. One byte order mark is accepted. Strings and numbers stay in the bytes they came in.
public struct JSONDocument: Sendable {
    /// The deepest nesting that is read; hostile input cannot make any reader of the value recurse further.
    public static let depthLimit = 128

    /// The longest text in bytes: offsets on the tape have 31 bits.
    public static let sizeLimit = Int(Int32.max)

    /// What to do about a key that stands twice in one object. RFC 8259 leaves that to the reader.
    public enum DuplicateKeys: Sendable {
        /// Refuse the document: two readers could see two different values in it.
        case refused
        /// Keep every member; a lookup by key finds the first.
        case kept
    }

    let tape: JSONTape

    /// Reads a whole text. Only the grammar is checked where duplicate keys are kept; nothing of ours asks for that.
    public init(parsing bytes: [UInt8], duplicateKeys: DuplicateKeys = .refused) throws(JSONError) {
        try self.init(text: TextBytes(bytes), range: 0..<bytes.count, duplicateKeys)
    }

    /// Reads JSON that is the text of a string in another document; the places in errors are those in this text.
    public init(parsing text: FlagText) throws(JSONError) {
        if text.hasEscapes {
            try self.init(parsing: text.decodedBytes)
        } else {
            try self.init(text: text.storage, range: text.sourceRange, .refused)
        }
    }

    /// Reads JSON that is the text of a string in another document where it stands, quotes escaped.
    ///
    /// A catalog of 100,000 flags in a string is 20 MB with an escape before each quote. Decoding it first means another
    /// 20 MB and another pass over them. But nearly always its only escapes are those of its own quotes, and between two
    /// such quotes a text is the same escaped and not. At anything else, be it a mistake or an escape in an escape, the
    /// answer is `nil`, and the caller decodes the string and reads the result, which also finds the places for messages.
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

    /// The value that the text holds.
    public var root: JSONValue { JSONValue(tape: tape, index: 0) }
}

/// What the reader leaves behind: the bytes, and one node of 8 bytes for each value, key and closing bracket.
final class JSONTape: Sendable {
    let text: TextBytes
    /// Where the text begins, behind a byte order mark.
    let start: Int
    let nodes: [JSONNode]

    init(text: TextBytes, start: Int, nodes: [JSONNode]) {
        self.text = text
        self.start = start
        self.nodes = nodes
    }
}

/// One value, key or closing bracket. Its kind is the byte that it points at, so it needs no field for it.
struct JSONNode {
    /// Where the first byte stands; for strings the opening quote.
    let offset: UInt32
    /// Scalars: bytes in the source (strings: without the quotes, with `FlagText.escapeBit`).
    /// Opening brackets: the index of the closing node. Closing brackets: the number of elements or members.
    var extent: UInt32

    init(offset: Int, extent: UInt32 = 0) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.extent = extent
    }
}
