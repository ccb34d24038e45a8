/// Comments and trailing commas in JSON, which files whose name ends in `.jsonc` may have.
package enum JSONComments {
    /// The text of a document without what its name allows besides JSON.
    package static func removed(from bytes: [UInt8], named name: String) -> [UInt8] {
        name.lowercased().hasSuffix(".jsonc") ? removed(from: bytes) : bytes
    }

    /// The text with a space for each byte of a comment, and for each comma before a closing bracket, so that all other
    /// bytes keep their line and column.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var at = 0
        // The last byte that is not in a comment and is no space, and the last comma if it follows a value.
        var last = UInt8(ascii: "[")
        var comma: Int?
        func next(_ byte: UInt8) -> Bool { at + 1 < bytes.count && bytes[at + 1] == byte }
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "/") where next(UInt8(ascii: "/")) || next(UInt8(ascii: "*")):
                let end = Self.end(of: bytes, from: at)
                for index in at..<end where bytes[index] != 0x0A && bytes[index] != 0x0D { result[index] = 0x20 }
                at = end - 1
            case 0x20, 0x0A, 0x0D, 0x09: break
            case let byte:
                if "}]".utf8.contains(byte), last == UInt8(ascii: ","), let comma { result[comma] = 0x20 }
                if byte == UInt8(ascii: ",") { comma = "{[:,".utf8.contains(last) ? nil : at }
                last = byte
                if byte == UInt8(ascii: "\"") { at = Self.endOfString(in: bytes, from: at) }
            }
            at += 1
        }
        return result
    }

    /// The index of the closing quote of the string that starts at `start`.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var at = start + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return at
    }

    /// The end of the comment that starts at `start`.
    private static func end(of bytes: [UInt8], from start: Int) -> Int {
        if bytes[start + 1] == UInt8(ascii: "/") {
            return bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        }
        let slash = bytes[min(start + 3, bytes.count)...].indices.first {
            bytes[$0] == UInt8(ascii: "/") && bytes[$0 - 1] == UInt8(ascii: "*")
        }
        return slash.map { $0 + 1 } ?? bytes.count
    }

    /// The error of a text that is JSON without its comments and trailing commas; `nil` for other texts.
    package static func explanation(of error: DocumentError, in bytes: [UInt8]) -> DocumentError? {
        guard case .malformed(let error) = error, (try? JSONDocument(parsing: removed(from: bytes))) != nil else {
            return nil
        }
        return .unknownShape(
            "\(error.place): JSON has no comments and no trailing commas; remove them, or name the file .jsonc")
    }
}
