/// One JSON text as defined by RFC 8259, parsed strictly from UTF-8.
///
/// Besides invalid JSON it rejects duplicate keys (compared decoded), lone surrogates, other encodings, and more than
/// `depthLimit` levels. One byte order mark is accepted. Strings and numbers stay in their original bytes.
public struct JSONDocument: Sendable {
    /// The maximum depth of nesting: deeper input could exhaust the stack of recursive code.
    public static let depthLimit = 128

    /// The maximum size of a text in bytes: offsets on the tape have 31 bits.
    public static let sizeLimit = Int(Int32.max)

    let tape: JSONTape

    /// Parses a whole text.
    public init(parsing bytes: [UInt8]) throws(JSONError) { try self.init(parsing: FlagText(bytes: bytes)) }

    /// Parses JSON that is the text of a string in another document. The line and column of an error count in this
    /// text.
    public init(parsing text: FlagText) throws(JSONError) {
        let (storage, range) = (text.storage, text.range)
        guard storage.bytes.count <= Self.sizeLimit else {
            throw JSONError(line: 1, column: 1, issue: "the text is longer than 2 GiB")
        }
        let start = range.lowerBound + (storage.bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let result = storage.bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(text: storage, bytes: bytes, range: start..<range.upperBound)
            return Result { () throws(JSONFault) in try reader.read() }.map { reader.nodes }
        }
        switch result {
        case .success(let nodes): tape = JSONTape(text: storage, start: start, nodes: nodes)
        case .failure(let fault):
            var locator = TextLocator(text: storage, start: start)
            let place = locator.place(of: fault.offset)
            throw JSONError(line: place.line, column: place.column, issue: fault.issue)
        }
    }

    /// The root value.
    public var root: JSONValue { JSONValue(tape: tape, index: 0) }
}
