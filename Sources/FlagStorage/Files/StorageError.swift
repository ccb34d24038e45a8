/// Why something could not be read or saved, in a sentence that says what happened, to which file, what was kept and
/// what to do.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller may want to tell apart.
    public enum Code: Sendable, Hashable {
        /// The file is there but cannot be read.
        case cannotRead
        /// The file cannot be written, for a reason without a case of its own.
        case cannotWrite
        /// The disk, the quota or the permitted file size is used up.
        case noSpace
        /// The file, its folder or the whole file system may not be written.
        case readOnly
        /// Whoever opened the store asked that nothing be written.
        case refused
        /// A directory, pipe, socket or device stands where the file should be.
        case notAFile
        /// The file is larger than the reader accepts.
        case tooLarge
        /// A newer version wrote the file; it is not changed.
        case newerFormat
        /// Another process kept the lock for too long.
        case lockTimeout
        /// No action is left to undo.
        case nothingToUndo
        /// No undone action is left to redo.
        case nothingToRedo
        /// The folder cannot be watched.
        case cannotWatch
    }

    /// The kind of failure.
    public let code: Code
    /// The file or folder that it is about.
    public let path: String
    /// What happened, to which file, what was kept and what to do.
    public let sentence: String

    /// The sentence.
    public var description: String { sentence }

    /// An error about `path`, told by `sentence`.
    public init(code: Code, path: String, sentence: String) {
        self.code = code
        self.path = path
        self.sentence = sentence
    }
}
