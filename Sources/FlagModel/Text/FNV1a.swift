/// The 64-bit FNV-1a hash of Fowler, Noll and Vo, the same in every run. It detects accidental changes, not forgeries.
package enum FNV1a {
    /// The hash of some bytes.
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// A hash of a document, of four words of eight bytes at a time: the hash of single bytes would take as long as
    /// reading the document, and each multiplication waits for the one before. Each word is mixed into the lower half,
    /// too, as a multiplication only changes higher bits.
    package static func hash(ofDocument bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            let wholeWords = bytes.count & ~31
            let start: UInt64 = 0xcbf2_9ce4_8422_2325
            var (first, second, third, fourth) = (start, start, start, start)
            func mix(_ hash: inout UInt64, _ word: UInt64) {
                let product = (hash ^ word) &* 0x100_0000_01b3
                hash = product ^ product >> 32
            }
            for at in stride(from: 0, to: wholeWords, by: 32) {
                mix(&first, bytes.word(at: at))
                mix(&second, bytes.word(at: at + 8))
                mix(&third, bytes.word(at: at + 16))
                mix(&fourth, bytes.word(at: at + 24))
            }
            for hash in [second, third, fourth] { mix(&first, hash) }
            return bytes[wholeWords...].reduce(first) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
    }

    /// The hash of some bytes as 16 hexadecimal digits.
    package static func digits(of bytes: [UInt8]) -> String {
        hash(of: bytes).padded(to: 16, radix: 16).lowercased()
    }
}
