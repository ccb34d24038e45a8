/// The 64-bit FNV-1a hash of Fowler, Noll and Vo, the same in every run. It detects accidental changes, not forgeries.
package enum FNV1a {
    /// The hash of some bytes.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The hash of some bytes as 16 hexadecimal digits.
    package static func digits(of bytes: [UInt8]) -> String {
        hash(of: bytes).padded(to: 16, radix: 16).lowercased()
    }
}
