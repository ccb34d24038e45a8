/// Why a source gave no document.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// There is no file.
        case missing
        /// The file cannot be opened or read.
        case unreadable
        /// A directory, a pipe, a socket or a device stands there.
        case notAFile
        /// The file is larger than we read.
        case tooLarge
        /// The content is no document that we know.
        case malformed
    }

    /// The kind of failure.
    public let code: Code
    /// The path as it was given.
    public let path: String
    /// What is wrong, for example `line 12, column 7: expected ',' or '}', found '"'`.
    public let sentence: String

    /// A failure to read the file at a path.
    public init(code: Code, path: String, sentence: String) {
        self.code = code
        self.path = path
        self.sentence = sentence
    }

    /// The path and what is wrong with it, for example `shop.json: no such file`.
    public var description: String { "\(path): \(sentence)" }
}
