import FlagModel

/// Hashes that replace texts in file names, as a text could contain a slash or be too long for a file name.
public enum StableHash {
    /// The 64-bit FNV-1a hash of a text in hexadecimal digits, the same in every run. The hash does not protect a
    /// secret, as it confirms a correct guess of the text.
    public static func text(_ text: String) -> String {
        String(FNV1a.hash(of: Array(text.utf8)), radix: 16)
    }

    /// The hash of the bytes of a document, in hexadecimal digits, the same in every run.
    package static func document(_ bytes: [UInt8]) -> String { String(FNV1a.hash(ofDocument: bytes), radix: 16) }
}
