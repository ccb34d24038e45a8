import FlagModel

/// Short names for files and identities: those themselves could hold a slash, or be longer than a file system takes.
public enum StableHash {
    /// The 64-bit FNV-1a hash of a text in hexadecimal digits, the same in every run. It is no secret keeper: whoever
    /// guesses the text can tell that it is the one.
    public static func text(_ text: String) -> String { bytes(Array(text.utf8)) }

    /// The hash of bytes, in hexadecimal digits.
    package static func bytes(_ bytes: [UInt8]) -> String { String(FNV1a.hash(of: bytes), radix: 16) }
}
