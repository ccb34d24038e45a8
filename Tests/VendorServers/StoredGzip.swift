/// Creates gzip data (RFC 1952) without a library.
public enum StoredGzip {
    /// Bytes in gzip format without compression, which every decoder accepts.
    public static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var remaining = bytes[...]
        repeat {
            let block = remaining.prefix(0xFFFF)
            remaining = remaining.dropFirst(block.count)
            result.append(remaining.isEmpty ? 1 : 0)
            result += littleEndian(UInt32(block.count), 2) + littleEndian(~UInt32(block.count), 2) + block
        } while !remaining.isEmpty
        return result + littleEndian(checksum(bytes), 4) + littleEndian(UInt32(truncatingIfNeeded: bytes.count), 4)
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
}
