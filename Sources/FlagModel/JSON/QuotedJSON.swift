/// JSON that is the text of a string in another JSON text, read where it stands.
///
/// A catalog of 100,000 flags in a string is 20 MB with an escape before each quote. Decoding it first means another
/// 20 MB and another pass over them. But nearly always its only escapes are those of its own quotes, and between two
/// such quotes a text is the same escaped and not. So this is a reader for that case alone. At anything else, be it a
/// mistake or an escape in an escape, there is no document, and whoever asked decodes the string and reads the result,
/// which also finds the places for messages.
///
/// Nothing is checked that the reader of the outer text checks, such as its encoding and where the string ends: what
/// comes of this is to be used only when that reader has found a string in exactly this `range`.
struct QuotedJSON: Sendable {
    let document: JSONDocument
    /// Where the text stands in the outer one, without the quotes around it.
    let range: Range<Int>

    /// Reads the string whose text begins at `start`.
    init?(in text: TextBytes, at start: Int, _ workers: Workers = .none) {
        let reading = text.bytes.withUnsafeBufferPointer { bytes -> (nodes: [JSONNode], end: Int)? in
            var reader = JSONReader(bytes: bytes, range: start..<bytes.count, .refused, isQuoted: true, workers)
            guard let end = try? reader.readQuoted() else { return nil }
            return (reader.nodes, end)
        }
        guard let reading else { return nil }
        document = JSONDocument(tape: JSONTape(text: text, start: start, nodes: reading.nodes))
        range = start..<reading.end
    }

    /// Where the text of a string begins that seems to be the value of `key`, at the first place where that key stands
    /// in quotes.
    static func start(ofValueFor key: StaticString, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let key = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var at = 0
        while at + key.count + 2 < bytes.count {
            at = JSONScan.next(UInt8(ascii: "\""), bytes, from: at, end: bytes.count) + 1
            guard at + key.count + 2 < bytes.count else { return nil }
            guard bytes[at] == key[0], bytes.part(at, key.count).isEqual(to: key) else { continue }
            at += key.count
            for byte in [UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: "\"")] {
                while at < bytes.count, JSONScan.isSpace(bytes[at]) { at += 1 }
                guard at < bytes.count, bytes[at] == byte else { return nil }
                at += 1
            }
            return at
        }
        return nil
    }
}
