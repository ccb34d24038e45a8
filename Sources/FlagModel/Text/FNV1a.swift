/// The 64-bit FNV-1a hash of Fowler, Noll and Vo, the same in every run. It detects accidental changes, not forgeries.
package enum FNV1a {
    /// The hash of some bytes.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return hash
        }
    }

    /// The hash of some bytes as 16 hexadecimal digits.
    package static func digits(of bytes: [UInt8]) -> String {
        let digits = String(hash(of: bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
