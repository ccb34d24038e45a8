import FlagSourceSupport
import Flags
import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder for the state and the kept values of one app, and what its stores log. It stays behind in the system's
/// temporary folder, which is swept: removing a folder is no business of a library.
final class TemporaryPlace: Sendable {
    private let path: String
    private let lines = LogSink()

    init() throws {
        let pattern = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/flags-XXXXXX"
        var bytes = Array(pattern.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw IncompatibleSource(findings: ["There is no temporary folder."]) }
        path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What was logged.
    var log: [String] { lines.all }

    /// A store of an app that keeps its values here.
    func store(_ sources: [any RemoteSource], clock: SourceClock = .system) -> FlagStore {
        FlagStore(
            app: "compatibility", sources: sources, overrides: .closed, launch: [:], minimumFetchInterval: .zero,
            storeDirectory: "\(path)/state", cacheDirectory: "\(path)/cache",
            clock: clock, logger: Logger(label: "compatibility") { _ in lines })
    }
}

/// Keeps what is logged.
private final class LogSink: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

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
