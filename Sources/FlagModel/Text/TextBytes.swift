#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The bytes that any number of `FlagText` slices share.
///
/// One reference and two 32-bit numbers make a slice 16 bytes small, which is what lets 100,000 flags fit.
final class TextBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static let empty = TextBytes([])
}

extension UnsafeBufferPointer<UInt8> {
    /// A part of the buffer, without checks in optimised code.
    func part(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[start..<start + count])
    }

    /// Whether both hold the same bytes.
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress else { return count == 0 }
        return memcmp(left, right, count) == 0
    }

    /// Whether these bytes stand before the other ones.
    func isBefore(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return count < other.count }
        let order = memcmp(left, right, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// A hash that is seeded for each process, so that no document can be made to collide.
    var seededHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(self))
        return hasher.finalize()
    }
}
