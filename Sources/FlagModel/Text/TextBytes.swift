/// The bytes shared by any number of `FlagText` slices.
///
/// With one reference and two 32-bit numbers a slice has only 16 bytes, so that 100,000 flags fit.
final class TextBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static let empty = TextBytes([])
}

extension UnsafeBufferPointer<UInt8> {
    /// A part of the buffer. Optimised code does not check its bounds, so the caller must know them: by having made the
    /// slice from this buffer, or by having compared with its end.
    func part(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[start..<start + count])
    }

    /// Whether both have the same bytes.
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var at = 0
        while at + 8 <= count {
            let isSame =
                left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            guard isSame else { return false }
            at += 8
        }
        while at < count, self[at] == other[at] { at += 1 }
        return at == count
    }

    /// Whether these bytes are ordered before the others.
    func isBefore(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        let shared = Swift.min(count, other.count)
        var at = 0
        while at + 8 <= shared {
            let one = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let two = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            if one != two { return one < two }
            at += 8
        }
        while at < shared, self[at] == other[at] { at += 1 }
        return at < shared ? self[at] < other[at] : count < other.count
    }

    /// A hash with a seed per process, so that no document can be made to collide.
    var seededHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(self))
        return hasher.finalize()
    }
}
