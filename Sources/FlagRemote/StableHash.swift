import FlagModel

/// Hashes that serve as short names, for texts that could contain a slash or be too long for a file name.
public enum StableHash {
    /// The 64-bit FNV-1a hash of a text in hexadecimal digits, the same in every run. It does not protect a secret: a
    /// guess of the text can be verified.
    public static func text(_ text: String) -> String { bytes(Array(text.utf8)) }

    /// The hash of bytes, in hexadecimal digits.
    package static func bytes(_ bytes: [UInt8]) -> String { String(FNV1a.hash(of: bytes), radix: 16) }
}
