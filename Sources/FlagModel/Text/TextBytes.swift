/// The bytes shared by any number of `FlagText` slices.
///
/// A slice is a reference to this object and two 32-bit numbers. It has only 16 bytes, as there may be 100,000 flags.
final class TextBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static let empty = TextBytes([])
}

extension UnsafeBufferPointer<UInt8> {
    /// The `count` bytes from `start`. Optimised code does not check the bounds, so the caller must make sure that
    /// these bytes are in the buffer.
    func part(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[start..<start + count])
    }

    /// Whether both buffers have the same bytes.
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        count == other.count && elementsEqual(other)
    }

    /// A hash with a seed per process, so that nobody can craft a document whose keys collide.
    var seededHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(self))
        return hasher.finalize()
    }
}
