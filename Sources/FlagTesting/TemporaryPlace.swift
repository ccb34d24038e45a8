import FlagRemote
import FlagStorage
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
        let pattern = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/flags-XXXXXX"
        var bytes = Array(pattern.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw IncompatibleSource(findings: ["There is no temporary folder."]) }
        path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Removes what is there, and no file that a symbolic link leads to. What cannot be removed lies where the system sweeps.
    private static func remove(_ path: String) {
        let files = FileOperations.live
        guard (try? files.remove(path)) == nil else { return }
        for name in (try? files.names(path)) ?? [] { remove("\(path)/\(name)") }
        try? files.removeFolder(path)
    }
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
