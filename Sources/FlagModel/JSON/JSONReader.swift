/// The strict parser: one pass over the bytes, no recursion, one node per value.
struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let end: Int
    /// The start of the text, after a byte order mark.
    private(set) var start: Int
    private(set) var nodes: [JSONNode] = []
    /// The offset of the next byte to read.
    private var at: Int
    /// The node indices of the objects and arrays that are not closed yet.
    private var open: [Int] = []
    private let duplicateKeys: JSONDocument.DuplicateKeys
    private var duplicateSearch = DuplicateKeySearch()

    init(bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>, _ duplicateKeys: JSONDocument.DuplicateKeys) {
        self.bytes = bytes
        self.duplicateKeys = duplicateKeys
        start = range.lowerBound
        at = start
        end = range.upperBound
        // A generous capacity, to avoid growing and copying; unused pages cost nothing.
        nodes.reserveCapacity(range.count / 8 + 4)
        open.reserveCapacity(JSONDocument.depthLimit)
    }

    /// The length of the UTF-8 byte order mark at the start of the range; 0 if there is none.
    static func markLength(_ bytes: some RandomAccessCollection<UInt8>, _ range: Range<Int>) -> Int {
        bytes.dropFirst(range.lowerBound).prefix(min(3, range.count)).elementsEqual([0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Parses the whole text.
    mutating func read() throws(JSONFault) {
        try refuseUTF16()
        start += Self.markLength(bytes, start..<end)
        at = start
        skipSpace()
        try readValue()
        while let container = open.last { try readStep(in: container) }
        skipSpace()
        guard at == end else { throw fault("expected the end of the text") }
    }

    private func refuseUTF16() throws(JSONFault) {
        guard end - start >= 2 else { return }
        switch (bytes[start], bytes[start + 1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, 1...), (1..., 0):
            throw JSONFault(offset: start, issue: "the text looks like UTF-16 or UTF-32; expected UTF-8")
        default: return
        }
    }

    /// Reads one element or member with the comma before it, or the closing bracket.
    private mutating func readStep(in container: Int) throws(JSONFault) {
        let isObject = bytes[Int(nodes[container].offset)] == UInt8(ascii: "{")
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let isFirst = nodes.count == container + 1
        skipSpace()
        if at < end, bytes[at] == closing { return try close(container, isObject: isObject) }
        if !isFirst {
            guard at < end, bytes[at] == UInt8(ascii: ",") else {
                throw fault(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
            }
            at += 1
            skipSpace()
        }
        if isObject { try readKey(isFirst: isFirst) }
        try readValue(orClosing: isFirst && !isObject)
    }

    private mutating func readKey(isFirst: Bool) throws(JSONFault) {
        guard at < end, bytes[at] == UInt8(ascii: "\"") else {
            throw fault(isFirst ? "expected a key in double quotes or '}'" : "expected a key in double quotes")
        }
        try readString()
        skipSpace()
        guard at < end, bytes[at] == UInt8(ascii: ":") else { throw fault("expected ':' after the key") }
        at += 1
        skipSpace()
    }

    /// Reads a value. If `orClosing` is true, error messages say that `]` is also possible here.
    private mutating func readValue(orClosing: Bool = false) throws(JSONFault) {
        switch at < end ? bytes[at] : 0 {
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try openContainer()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        default: throw fault(orClosing ? "expected a value or ']'" : "expected a value")
        }
    }

    private mutating func openContainer() throws(JSONFault) {
        guard open.count < JSONDocument.depthLimit else {
            throw JSONFault(offset: at, issue: "nested more than \(JSONDocument.depthLimit) levels deep")
        }
        open.append(nodes.count)
        nodes.append(JSONNode(offset: at))
        at += 1
    }

    private mutating func close(_ container: Int, isObject: Bool) throws(JSONFault) {
        let count = duplicateSearch.countMembers(of: container, isObject: isObject, nodes, bytes)
        if isObject, duplicateKeys == .refused { try duplicateSearch.refuseDuplicates(nodes, bytes) }
        nodes[container].extent = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(JSONNode(offset: at, extent: UInt32(truncatingIfNeeded: count)))
        open.removeLast()
        at += 1
    }

    private mutating func readString() throws(JSONFault) {
        let string = try JSONScan.string(bytes, at: at, end: end)
        nodes.append(JSONNode(offset: at, extent: string.extent))
        at = string.end
    }

    private mutating func readNumber() throws(JSONFault) {
        let numberEnd = try JSONScan.number(bytes, at: at, end: end)
        nodes.append(JSONNode(offset: at, extent: UInt32(truncatingIfNeeded: numberEnd - at)))
        at = numberEnd
    }

    private mutating func readWord(_ word: StaticString) throws(JSONFault) {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard at + expected.count <= end, bytes.part(at, expected.count).isEqual(to: expected) else {
            throw JSONFault(offset: at, issue: "expected true, false or null; a string needs double quotes")
        }
        nodes.append(JSONNode(offset: at, extent: UInt32(truncatingIfNeeded: expected.count)))
        at += expected.count
    }

    @inline(__always)
    private mutating func skipSpace() {
        while at < end, bytes[at] <= 0x20, JSONScan.isSpace(bytes[at]) { at += 1 }
    }

    private func fault(_ expected: String) -> JSONFault {
        JSONFault(offset: at, issue: "\(expected), found \(JSONScan.name(bytes, at: at, end: end))")
    }
}
