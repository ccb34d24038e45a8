import FlagModel

/// A remote document that lies in a file: values, a Firebase template, or a bare catalog.
public struct RemoteFile: RemoteSource, Hashable {
    /// Where it is, from the root.
    public let path: String

    /// A document at a path; one that does not begin with `/` is meant from the working directory of now.
    public init(_ path: String) { self.path = WorkingDirectory.resolve(path) }

    /// `file:` and the path.
    public var identity: String { "file:\(path)" }

    /// The file's name.
    public var name: String { FilePath.name(of: path) }

    /// Reads the file as it is now.
    public func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { try read() }

    /// The same: a file is there at once.
    public func readAtOnce() throws(SourceError) -> SourceAnswer? { try read() }

    private func read() throws(SourceError) -> SourceAnswer {
        .values(try SourceFileBytes(path: path).bytes, version: nil)
    }
}
