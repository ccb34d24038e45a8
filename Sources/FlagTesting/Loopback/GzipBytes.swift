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

    /// A gzip bomb with about a 158th of its decompressed size. Its checksum is wrong.
    ///
    /// - Parameter size: the decompressed size, in bytes.
    public static func bomb(size: Int) -> [UInt8] {
        // The bits of a block with fixed codes that begins with one zero, and then codes of 13 bits that each repeat 258
        // zeros, so eight of them are 13 bytes (RFC 1951, section 3.2.6).
        let eightCodes: [UInt8] = [0x18, 0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28]
        let count = size / (8 * 258)
        return header + [0x63] + repeatElement(eightCodes, count: count).joined() + [0, 0]
            + [0, 0, 0, 0] + littleEndian(UInt32(truncatingIfNeeded: count * 8 * 258 + 1), 4)
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
