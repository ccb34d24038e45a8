/// UTF-8 text that stays in the bytes of its document.
///
/// A value of this type refers to a slice of a document and takes 16 bytes, as there may be 100,000 flags. Only a text with JSON escapes has bytes of
/// its own. Equality, hash and order use the bytes; with Swift's canonical equivalence, two different keys could be
/// equal.
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
        lhs.count == rhs.count && lhs.withUTF8 { left in rhs.withUTF8 { right in left.elementsEqual(right) } }
    }

    /// Orders by the bytes, which for UTF-8 is the order of the Unicode scalars.
    public static func < (lhs: FlagText, rhs: FlagText) -> Bool {
        lhs.withUTF8 { left in rhs.withUTF8 { right in left.lexicographicallyPrecedes(right) } }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)  // A terminator, as UTF-8 never contains this byte.
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
}
