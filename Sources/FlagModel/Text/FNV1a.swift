/// The 64-bit FNV-1a hash of Fowler, Noll and Vo, the same in every run. It detects accidental changes, not forgeries.
package enum FNV1a {
    /// The hash of some bytes.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// A hash of a document, of eight bytes at a time: the hash of single bytes would take as long as reading the
    /// document. Each word is mixed into the lower half, too, as a multiplication only changes higher bits.
    package static func hash(ofDocument bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            let wholeWords = bytes.count & ~7
            let hash = stride(from: 0, to: wholeWords, by: 8).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                let product = ($0 ^ bytes.word(at: $1)) &* 0x100_0000_01b3
                return product ^ product >> 32
            }
            return bytes[wholeWords...].reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
    }

    /// The hash of some bytes as 16 hexadecimal digits.
    package static func digits(of bytes: [UInt8]) -> String {
        hash(of: bytes).padded(to: 16, radix: 16).lowercased()
    }
}
