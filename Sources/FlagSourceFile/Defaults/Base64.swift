/// Base64 as property lists hold it (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The values of the alphabet's letters; 64 for every other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// The bytes, or `nil` when letters or padding are missing. What is no letter is passed over: property lists break
    /// and indent their lines.
    static func bytes(of text: String) -> [UInt8]? {
        var (bytes, bits, letters, padding) = ([UInt8](), UInt32(0), 0, 0)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") { padding += 1 }
            guard values[Int(byte)] < 64 else { continue }
            guard padding == 0 else { return nil }
            bits = bits << 6 | UInt32(values[Int(byte)])
            letters += 1
            // The second, third and fourth letter of four each complete a byte.
            if letters % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - UInt32((letters - 1) % 4) * 2))) }
        }
        return padding <= 2 && (letters + padding) % 4 == 0 ? bytes : nil
    }
}
