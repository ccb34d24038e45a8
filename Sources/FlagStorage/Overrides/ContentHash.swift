import FlagModel

/// The hash of a file's content, to detect that the file has changed since a history record.
struct ContentHash: Sendable, Hashable {
    private let value: UInt64

    init(of bytes: [UInt8]) {
        value = FNV1a.hash(of: bytes)
    }

    /// A hash from its ``spelling``; `nil` for any other text.
    init?(spelling: String) {
        guard spelling.utf8.count == 16, let value = UInt64(spelling, radix: 16) else { return nil }
        self.value = value
    }

    /// The hash as 16 hexadecimal digits.
    var spelling: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
