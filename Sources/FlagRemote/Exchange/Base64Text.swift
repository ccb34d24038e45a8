/// Base64 as addresses and messages hold it (RFC 4648): both alphabets.
package enum Base64Text {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text, padded, for a message.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var (text, rest) = ([UInt8](), Array(bytes)[...])
        while !rest.isEmpty {
            let three = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = three.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - three.count))
            for place in 0..<4 {
                let letter = standard[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                text.append(place <= three.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The same for an address: `-` and `_` for `+` and `/` (section 5).
    ///
    /// - Parameter padded: whether `=` fills the last four letters. JSON Web Tokens have none (RFC 7515, section 2).
    package static func urlText(_ bytes: some Sequence<UInt8>, padded: Bool = true) -> String {
        let letters = text(bytes).utf8.compactMap { letter in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "=") where !padded: nil
            default: letter
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The bytes of a text of either alphabet, with padding or without; `nil` for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
        var letters = text.utf8[...]
        while letters.last == UInt8(ascii: "=") { letters = letters.dropLast() }
        for letter in letters {
            let value: Int? =
                switch letter {
                case UInt8(ascii: "-"): 62
                case UInt8(ascii: "_"): 63
                default: standard.firstIndex(of: letter)
                }
            guard let value else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            // The second, third and fourth letter of four each complete a byte.
            if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - UInt32((count - 1) % 4) * 2))) }
        }
        return count % 4 == 1 ? nil : bytes
    }
}
