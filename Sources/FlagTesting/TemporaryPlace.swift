import FlagSourceSupport
import Flags
import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder for the state and the kept values of one app, and what its stores log. The folder goes with the last of
/// them.
final class TemporaryPlace: Sendable {
    private let lines: LogSink

    init() throws {
        lines = LogSink(folder: try TemporaryFolder())
    }

    /// What was logged.
    var log: [String] { lines.all }

    /// A store of an app that keeps its values here.
    func store(_ sources: [any RemoteSource], clock: SourceClock = .system) -> FlagStore {
        FlagStore(
            app: "compatibility", sources: sources, overrides: .closed, launch: [:], minimumFetchInterval: .zero,
            storeDirectory: "\(lines.folder.path)/state", cacheDirectory: "\(lines.folder.path)/cache",
            clock: clock, logger: Logger(label: "compatibility") { [lines] _ in lines })
    }
}

/// A folder that is removed when nothing holds it.
private final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    // What cannot be removed lies where the system sweeps.
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Keeps what is logged, and the folder of the stores that log here for as long as one of them lives.
private final class LogSink: LogHandler, Sendable {
    let folder: TemporaryFolder
    private let lines = Mutex<[String]>([])

    init(folder: TemporaryFolder) { self.folder = folder }

    var all: [String] { lines.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
