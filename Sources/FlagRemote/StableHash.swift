import FlagModel

/// Hashes that replace texts in file names, as a text could contain a slash or be too long for a file name.
public enum StableHash {
    /// The 64-bit FNV-1a hash of a text in hexadecimal digits, the same in every run. The hash does not protect a
    /// secret, as it confirms a correct guess of the text.
    public static func text(_ text: String) -> String { bytes(Array(text.utf8)) }

    /// The hash of bytes, in hexadecimal digits.
    package static func bytes(_ bytes: [UInt8]) -> String { String(FNV1a.hash(of: bytes), radix: 16) }
}
