/// A universally unique identifier made of chance (RFC 9562, version 4).
package enum RandomUUID {
    /// Its 16 bytes.
    package static func bytes() -> [UInt8] {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }

    /// Its usual form, 36 characters in lower case.
    package static func text() -> String {
        let digits = bytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
