/// Why overrides, or a file of FlagMenu, could not be read or changed; ``sentence`` says what happened, what is
/// unchanged and how to fix it.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller can distinguish.
    public enum Code: Sendable, Hashable {
        /// The file exists but cannot be read.
        case cannotRead
        /// The file cannot be written, for a reason that no other case names.
        case cannotWrite
        /// The disk, the quota or the file size limit is used up.
        case noSpace
        /// The file, its folder or the whole file system may not be written.
        case readOnly
        /// The caller opened the store as read-only, overrides are closed, or there is a newer revision than expected.
        case refused
        /// The path is a directory, pipe, socket or device instead of a file.
        case notAFile
        /// The file is above the size limit.
        case tooLarge
        /// A newer version wrote the file; it is not changed.
        case newerFormat
        /// Another process had the lock for too long.
        case lockTimeout
        /// No action is left to undo.
        case nothingToUndo
        /// No undone action is left to redo.
        case nothingToRedo
        /// The folder cannot be watched.
        case cannotWatch
        /// Nothing has the name.
        case unknownName
        /// Something else has the name.
        case takenName
        /// The text cannot be a name.
        case invalidName
    }

    /// The kind of failure.
    public let code: Code
    /// The file or folder of the error.
    public let path: String
    /// What happened to which file, what is unchanged and how to fix it.
    public let sentence: String

    /// The sentence.
    public var description: String { sentence }

    /// An error of `path`, with its `sentence`.
    public init(code: Code, path: String, sentence: String) {
        (self.code, self.path, self.sentence) = (code, path, sentence)
    }
}
