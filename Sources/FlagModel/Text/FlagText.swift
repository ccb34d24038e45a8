/// A key, title or value of a flag, compared byte by byte; ``string`` is the same text as a `String`.
///
/// It refers to a slice of a document and takes 16 bytes, as there may be 100,000 flags. Only a text with JSON escapes
/// has bytes of its own. Equality, hash and order use the bytes; with Swift's canonical equivalence, two different keys
/// could be equal.
public struct FlagText: Sendable {
    let storage: [UInt8]
    private let start: UInt32
    private let count: UInt32

    /// Text that is not part of a document.
    public init(_ string: String) {
        self.init(bytes: Array(string.utf8))
    }

    /// Bytes that are known to be UTF-8.
    init(bytes: [UInt8]) {
        storage = bytes
        start = 0
        count = UInt32(truncatingIfNeeded: bytes.count)
    }

    /// A part of a document.
    init(storage: [UInt8], start: Int, count: Int) {
        self.storage = storage
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// The range of the text in `storage`.
    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// The text as a Swift string.
    public var string: String { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// Whether the text is empty.
    public var isEmpty: Bool { count == 0 }

    /// Calls `body` with the bytes, which are UTF-8; the buffer is valid only during the call.
    @inline(__always)
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try storage.withUnsafeBufferPointer { try body($0.part(Int(start), Int(count))) }
    }
}

extension FlagText: Hashable, Comparable {
    /// Compares the bytes.
    public static func == (lhs: FlagText, rhs: FlagText) -> Bool {
        lhs.count == rhs.count && lhs.withUTF8 { left in rhs.withUTF8 { right in left.hasSameBytes(as: right) } }
    }

    /// Orders by the bytes, which for UTF-8 is the order of the Unicode scalars.
    public static func < (lhs: FlagText, rhs: FlagText) -> Bool {
        lhs.withUTF8 { left in rhs.withUTF8 { right in left.lexicographicallyPrecedes(right) } }
    }

    /// Hashes the bytes, without an end mark: a second call of the hasher for each key costs a large catalog more than
    /// the rare equal hashes of two texts in a row.
    public func hash(into hasher: inout Hasher) {
        withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension FlagText {
    /// Compares with a literal in a `switch`, without making a text of it. Inlined, as a catalog's reader compares ten
    /// times for each flag.
    @inline(__always)
    static func ~= (literal: StaticString, text: FlagText) -> Bool {
        let bytes = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        return text.count == bytes.count && text.withUTF8 { $0.hasSameBytes(as: bytes) }
    }
}

extension FlagText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A text literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text itself.
    public var description: String { string }
}

extension UnsafeBufferPointer<UInt8> {
    /// The `count` bytes from `start`. Optimised code does not check the bounds, so the caller must make sure that
    /// these bytes are in the buffer.
    func part(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[start..<start + count])
    }

    /// The eight bytes from `start`, the first one in the lowest bits; see ``part(_:_:)`` about bounds.
    @inline(__always)
    func word(at start: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    /// Whether a buffer of the same length has the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        var at = 0
        while at + 8 <= count {
            guard word(at: at) == other.word(at: at) else { return false }
            at += 8
        }
        while at < count {
            guard self[at] == other[at] else { return false }
            at += 1
        }
        return true
    }
}

/// Eight bytes of a text. Going through a large document byte by byte takes several times as long.
extension UInt64 {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    /// The bit of each byte that is not ASCII.
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that equals `byte`. Only the lowest of the bits is exact.
    @inline(__always)
    func marks(of byte: UInt8) -> UInt64 { (self ^ Self.ones &* UInt64(byte)).marks(below: 1) }

    /// The high bit of each byte below `limit`, at most 0x80. Only the lowest of the bits is exact.
    @inline(__always)
    func marks(below limit: UInt8) -> UInt64 { (self &- Self.ones &* UInt64(limit)) & ~self & Self.highBits }
}
