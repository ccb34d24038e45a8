import FlagModel
import FlagStorage

/// A remote document in a file: values, a template, or a bare catalog.
public struct RemoteFile: RemoteSource, Hashable {
    /// Its absolute path.
    public let path: String

    /// A document at a path; one that does not begin with `/` is resolved against the current working directory.
    public init(_ path: String) { self.path = WorkingDirectory.resolve(path) }

    /// `file:` and the path.
    public var identity: SourceIdentity { "file:\(path)" }

    /// The file's name.
    public var name: String { FilePath.name(of: path) }

    /// The path.
    public var address: String { path }

    /// Reads the file as it is now.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer { try read() }

    /// Reads the file as it is now.
    public func readSynchronously() throws(SourceError) -> SourceAnswer? { try read() }

    /// Reports each change of the file.
    public func changes() -> AsyncStream<SourceHint>? {
        let (hints, hint) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(1))
        do throws(StorageError) {
            let watch = try DirectoryWatch(path) { hint.yield(.changed) }
            hint.onTermination = { _ in watch.cancel() }
            // A change from before the watch began.
            hint.yield(.changed)
        } catch {
            hint.yield(
                .disconnected(SourceError(code: .unreadable, path: path, sentence: "cannot be watched: \(error)")))
        }
        return hints
    }

    private func read() throws(SourceError) -> SourceAnswer {
        let file = try SourceFileBytes(path: path)
        return .values(file.bytes, version: file.fingerprint.version)
    }
}
