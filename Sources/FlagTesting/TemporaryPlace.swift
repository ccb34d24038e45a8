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
    /// The first store creates the folder.
    private let path =
        "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/flags-\(UInt64.random(in: 0...UInt64.max))"
    private let lines = Mutex<[String]>([])

    deinit { FileOperations.live.removeFolderWhole(path) }

    /// A store of the app, with its files in this folder.
    func store(_ sources: [any RemoteSource], clock: SourceClock = .system) -> FlagStore {
        FlagStore(
            app: "conformance", sources: sources,
            options: .init(
                overrides: .closed, launch: [:], minimumFetchInterval: .zero, storeDirectory: "\(path)/state",
                cacheDirectory: "\(path)/cache", clock: clock, logger: Logger(label: "conformance") { _ in self }))
    }

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
