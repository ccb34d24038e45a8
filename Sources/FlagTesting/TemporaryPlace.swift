#if Network
import FlagRemote
import FlagStorage
import Flags
import Logging
import Platform
import Synchronization

/// A temporary folder for the state and the cache of one app, and the log of its stores. The stores retain this object,
/// as they log to it, so the folder is removed when the last of them is released.
final class TemporaryPlace: LogHandler, Sendable {
    private let path: String
    private let lines = Mutex<[String]>([])

    init() throws {
        let pattern = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/flags-XXXXXX"
        var bytes = Array(pattern.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw ConformanceError(findings: ["Cannot create a temporary folder."]) }
        path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { FileOperations.live.removeFolderWhole(path) }

    /// A store of the app, with its files in this folder.
    func store(_ sources: [any RemoteSource], clock: SourceClock = .system) -> FlagStore {
        FlagStore(
            app: "conformance", sources: sources, overrides: .closed, launch: [:], minimumFetchInterval: .zero,
            storeDirectory: "\(path)/state", cacheDirectory: "\(path)/cache",
            clock: clock, logger: Logger(label: "conformance") { _ in self })
    }

    /// The log lines.
    var log: [String] { lines.withLock { $0 } }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }

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
}
#endif
