/// Creates gzip data (RFC 1952) without a library.
package enum GzipBytes {
    /// A gzip bomb with about a 158th of its decompressed size. It breaks off, as no reader comes to its end.
    ///
    /// - Parameter size: the decompressed size, in bytes.
    package static func bomb(size: Int) -> [UInt8] {
        // The bits of a block with fixed codes that begins with one zero, and then codes of 13 bits that each repeat 258
        // zeros, so eight of them are 13 bytes (RFC 1951, section 3.2.6).
        let eightCodes: [UInt8] = [0x18, 0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28]
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        return header + [0x63] + repeatElement(eightCodes, count: size / (8 * 258)).joined()
    }
}
