/// Tells whether a file still holds what a record says: FNV-1a with 64 bits (Fowler, Noll and Vo, whose offset
/// basis and prime these are). It is there against accidents, not against somebody who forges one.
struct ContentHash: Sendable, Hashable {
    private let value: UInt64

    /// The hash of `bytes`.
    init(of bytes: [UInt8]) {
        value = bytes.withUnsafeBufferPointer { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return hash
        }
    }

    /// A hash as ``spelling`` gives it.
    init?(spelling: String) {
        guard spelling.utf8.count == 16, let value = UInt64(spelling, radix: 16) else { return nil }
        self.value = value
    }

    /// 16 hexadecimal digits.
    var spelling: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
