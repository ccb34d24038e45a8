/// Creates gzip data (RFC 1952) without a library.
public enum GzipBytes {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// Bytes in gzip format without compression, which every decoder accepts.
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result = header
        var remaining = bytes[...]
        repeat {
            let block = remaining.prefix(0xFFFF)
            remaining = remaining.dropFirst(block.count)
            result.append(remaining.isEmpty ? 1 : 0)
            result += littleEndian(UInt32(block.count), 2) + littleEndian(~UInt32(block.count), 2) + block
        } while !remaining.isEmpty
        return result + littleEndian(checksum(bytes), 4) + littleEndian(UInt32(truncatingIfNeeded: bytes.count), 4)
    }

    /// A gzip bomb with about a 158th of its decompressed size: one zero, then codes of 13 bits that each repeat 258
    /// zeros (RFC 1951, section 3.2.6). Its checksum is wrong.
    ///
    /// - Parameter size: the decompressed size, in bytes.
    public static func bomb(size: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b011, 3)  // the last block, with fixed codes
        bits.append(0b0000_1100, 8)  // the literal 0, code 00110000 from its first bit on
        for _ in 0..<(size / 258) {
            bits.append(0b1010_0011, 8)  // length 258: code 11000101 from its first bit on
            bits.append(0, 5)  // distance 1
        }
        bits.append(0, 7)  // the end of the block
        return header + bits.bytes + [0, 0, 0, 0] + littleEndian(UInt32(truncatingIfNeeded: size / 258 * 258 + 1), 4)
    }

    private static func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Writes bits, the least significant ones first.
    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        /// The number of bits in the last byte.
        private var bitCount = 8

        mutating func append(_ value: UInt32, _ count: Int) {
            for bit in 0..<count {
                if bitCount == 8 {
                    bytes.append(0)
                    bitCount = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(bitCount)
                bitCount += 1
            }
        }
    }
}
