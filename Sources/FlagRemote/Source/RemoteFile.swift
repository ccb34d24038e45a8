import FlagModel
import FlagStorage

/// A local file as the source of remote values, such as JSON or a Firebase Remote Config template; by default it is read
/// again after each change.
public struct RemoteFile: RemoteSource, Hashable {
    /// The file's absolute path.
    public let path: String
    /// Whether a store that is opened with the file fetches it after each change, without a call.
    public let isFollowed: Bool

    /// A document at a path.
    ///
    /// - Parameters:
    ///   - path: a relative path is resolved against the current working directory.
    ///   - isFollowed: whether a store that is opened with the file fetches it after each change, without a call. A file
    ///     that never changes, such as one in the app's bundle, need not be watched.
    public init(_ path: String, isFollowed: Bool = true) {
        (self.path, self.isFollowed) = (WorkingDirectory.resolve(path), isFollowed)
    }

    /// `file:` and the path.
    public var identity: SourceIdentity { "file:\(path)" }

    /// The file's name.
    public var name: String { FilePath.name(of: path) }

    /// The path.
    public var address: String { path }

    /// Reads the file.
    public func readSynchronously() throws(SourceError) -> FetchResult? {
        let file = try SourceFileBytes(path: path)
        return .values(file.bytes, version: file.version)
    }

    /// Reports each change of the file.
    public func changes() -> AsyncStream<LiveUpdateEvent>? {
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveUpdateEvent.self, bufferingPolicy: .bufferingNewest(1))
        do throws(StorageError) {
            let watch = try DirectoryWatch(path) { continuation.yield(.changed) }
            continuation.onTermination = { _ in watch.cancel() }
            // The file may have changed before the watch began.
            continuation.yield(.changed)
        } catch {
            continuation.yield(
                .disconnected(SourceError(.unreadable, of: path, "cannot be watched: \(error)")))
        }
        return events
    }
}
