/// The strict parser: one pass over the bytes, no recursion, one node per value.
struct JSONReader {
    private let text: [UInt8]
    /// The bytes of ``text``.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let scan: JSONScan
    private let end: Int
    private(set) var nodes: [JSONNode] = []
    /// The offset of the next byte to read.
    private var at: Int
    /// The node indices of the objects and arrays that are not closed yet, with the elements or members so far.
    private var open: [(node: Int, count: Int)] = []
    /// The node indices of the keys of the objects that are not closed yet.
    private var keys: [Int] = []

    init(text: [UInt8], bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
        (self.text, self.bytes) = (text, bytes)
        scan = JSONScan(bytes: bytes, end: range.upperBound)
        at = range.lowerBound
        end = range.upperBound
        // A generous capacity, to avoid growing and copying; unused pages cost nothing.
        nodes.reserveCapacity(range.count / 8 + 4)
        open.reserveCapacity(JSONDocument.depthLimit)
    }

    mutating func read() throws(JSONFault) {
        try refuseUTF16()
        skipSpace()
        try readValue()
        while let container = open.last { try readStep(in: container.node, isFirst: container.count == 0) }
        skipSpace()
        guard at == end else { throw fault("expected the end of the text") }
    }

    private func refuseUTF16() throws(JSONFault) {
        guard end - at >= 2 else { return }
        switch (bytes[at], bytes[at + 1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, 1...), (1..., 0):
            throw JSONFault(offset: at, issue: "the text looks like UTF-16 or UTF-32; expected UTF-8")
        default: return
        }
    }

    /// Reads one element or member with the comma before it, or the closing bracket.
    private mutating func readStep(in container: Int, isFirst: Bool) throws(JSONFault) {
        let isObject = bytes[Int(nodes[container].offset)] == UInt8(ascii: "{")
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        skipSpace()
        if at < end, bytes[at] == closing { return try close(isObject: isObject) }
        if !isFirst {
            guard at < end, bytes[at] == UInt8(ascii: ",") else {
                throw fault(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
            }
            at += 1
            skipSpace()
        }
        open[open.count - 1].count += 1
        if isObject { try readKey(isFirst: isFirst) }
        try readValue(orClosing: isFirst && !isObject)
    }

    private mutating func readKey(isFirst: Bool) throws(JSONFault) {
        guard at < end, bytes[at] == UInt8(ascii: "\"") else {
            throw fault(isFirst ? "expected a key in double quotes or '}'" : "expected a key in double quotes")
        }
        keys.append(nodes.count)
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
        open.append((nodes.count, 0))
        nodes.append(JSONNode(offset: at))
        at += 1
    }

    private mutating func close(isObject: Bool) throws(JSONFault) {
        let (container, count) = open.removeLast()
        if isObject {
            try refuseDuplicates(in: keys.count - count..<keys.count)
            keys.removeLast(count)
        }
        nodes[container].extent = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(JSONNode(offset: at, extent: UInt32(truncatingIfNeeded: count)))
        at += 1
    }

    /// Compares the keys of one object after decoding escapes.
    private func refuseDuplicates(in places: Range<Int>) throws(JSONFault) {
        guard places.count > 8 else {
            // Comparing all pairs of a few keys is faster than hashing.
            for place in places {
                for earlier in places.lowerBound..<place where isSame(nodes[keys[earlier]], nodes[keys[place]]) {
                    throw duplicate(nodes[keys[place]])
                }
            }
            return
        }
        var seen = Set<FlagText>(minimumCapacity: places.count)
        for place in places where !seen.insert(FlagText(nodes[keys[place]], in: text)).inserted {
            throw duplicate(nodes[keys[place]])
        }
    }

    private func duplicate(_ node: JSONNode) -> JSONFault {
        JSONFault(offset: Int(node.offset), issue: "duplicate key \(FlagText(node, in: text).quoted)")
    }

    @inline(__always)
    private func isSame(_ left: JSONNode, _ right: JSONNode) -> Bool {
        if !left.hasEscapes, !right.hasEscapes, left.length != right.length { return false }
        return FlagText(left, in: text) == FlagText(right, in: text)
    }

    private mutating func readString() throws(JSONFault) {
        let string = try scan.string(at: at)
        nodes.append(JSONNode(offset: at, extent: string.extent))
        at = string.end
    }

    private mutating func readNumber() throws(JSONFault) {
        let numberEnd = try scan.number(at: at)
        nodes.append(JSONNode(offset: at, extent: UInt32(truncatingIfNeeded: numberEnd - at)))
        at = numberEnd
    }

    private mutating func readWord(_ word: StaticString) throws(JSONFault) {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard at + expected.count <= end, bytes.part(at, expected.count).elementsEqual(expected) else {
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
        JSONFault(offset: at, issue: "\(expected), found \(scan.name(at: at))")
    }
}
