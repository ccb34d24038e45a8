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
}
