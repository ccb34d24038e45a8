#if Network
import FlagRemote
import FlagStorage
import Flags
import Logging
import Platform
import Synchronization

/// A temporary folder for the state and the cache of one app, and the log of its stores. The folder is removed when
/// this object and all its stores are released.
final class TemporaryPlace: Sendable {
    private let sink: LogSink

    init() throws {
        sink = LogSink(folder: try TemporaryFolder())
    }

    /// The log lines.
    var log: [String] { sink.all }

    /// A store of the app, with its files in this folder.
    func store(_ sources: [any RemoteSource], clock: SourceClock = .system) -> FlagStore {
        FlagStore(
            app: "conformance", sources: sources, overrides: .closed, launch: [:], minimumFetchInterval: .zero,
            storeDirectory: "\(sink.folder.path)/state", cacheDirectory: "\(sink.folder.path)/cache",
            clock: clock, logger: Logger(label: "conformance") { [sink] _ in sink })
    }
}

/// A folder that is removed with its last reference.
private final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let pattern = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/flags-XXXXXX"
        var bytes = Array(pattern.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw ConformanceError(findings: ["Cannot create a temporary folder."]) }
        path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { FileOperations.live.removeFolderWhole(path) }
}

/// Collects log lines, and retains the folder for as long as a store logs to it.
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
#endif
