/// UTF-8 text that stays in its original bytes until it is used.
///
/// A value of this type refers to a slice of a document and takes 16 bytes. JSON escapes inside the slice are decoded
/// on each use, never stored. Equality, hash and order use the decoded bytes; with Swift's canonical equivalence, two
/// different keys could be equal.
public struct FlagText: Sendable {
    let storage: TextBytes
    private let start: UInt32
    /// The number of bytes in `storage`, with `escapeBit` if they contain JSON escapes.
    private let extent: UInt32

    static let escapeBit: UInt32 = 1 << 31

    /// Text that is not part of a document.
    public init(_ string: String) {
        self.init(bytes: Array(string.utf8))
    }

    /// Bytes that are known to be UTF-8.
    init(bytes: [UInt8]) {
        storage = bytes.isEmpty ? .empty : TextBytes(bytes)
        start = 0
        extent = UInt32(truncatingIfNeeded: bytes.count)
    }

    /// A part of a document. `extent` is the extent of a string's ``JSONNode``.
    init(storage: TextBytes, start: Int, extent: UInt32) {
        self.storage = storage
        self.start = UInt32(truncatingIfNeeded: start)
        self.extent = extent
    }

    var hasEscapes: Bool { extent & Self.escapeBit != 0 }
    private var sourceCount: Int { Int(extent & ~Self.escapeBit) }

    /// The range of the text in `storage`, including escapes.
    var sourceRange: Range<Int> { Int(start)..<Int(start) + sourceCount }

    /// The text as a Swift string.
    public var string: String { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// Whether the text is empty.
    public var isEmpty: Bool { extent == 0 }

    /// Calls `body` with the decoded bytes, which are UTF-8; the buffer is valid only during the call.
    @inline(__always)
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try storage.bytes.withUnsafeBufferPointer { all in
            let source = all.part(Int(start), sourceCount)
            return hasEscapes ? try Self.decoding(source, body) : try body(source)
        }
    }

    private static func decoding<R>(
        _ source: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.count) { room in
            let count = JSONEscapes.decode(source, into: room)
            return try body(UnsafeBufferPointer(room).part(0, count))
        }
    }

    /// The decoded bytes as an array.
    var decodedBytes: [UInt8] {
        guard hasEscapes else { return Array(storage.bytes[sourceRange]) }
        return storage.bytes.withUnsafeBufferPointer { all in
            let source = all.part(Int(start), sourceCount)
            return Array(unsafeUninitializedCapacity: source.count) { room, count in
                count = JSONEscapes.decode(source, into: room)
            }
        }
    }

    /// The hash for key lookups.
    package var keyHash: Int { withUTF8 { $0.seededHash } }

    func isEqual(to bytes: UnsafeBufferPointer<UInt8>) -> Bool { withUTF8 { $0.isEqual(to: bytes) } }
}

extension FlagText: Hashable, Comparable {
    /// Compares the decoded bytes.
    public static func == (lhs: FlagText, rhs: FlagText) -> Bool {
        if !lhs.hasEscapes && !rhs.hasEscapes && lhs.extent != rhs.extent { return false }
        return lhs.withUTF8 { left in rhs.withUTF8 { right in left.isEqual(to: right) } }
    }

    /// Orders by the decoded bytes, which for UTF-8 is the order of the Unicode scalars.
    public static func < (lhs: FlagText, rhs: FlagText) -> Bool {
        lhs.withUTF8 { left in rhs.withUTF8 { right in left.isBefore(right) } }
    }

    /// Hashes the decoded bytes.
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
