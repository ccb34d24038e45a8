public import Logging
import Synchronization

/// Collects log messages, one per line.
public final class LogLines: Sendable {
    private let contents = Mutex<[String]>([])

    /// Creates an empty log.
    public init() {}

    /// The lines so far, such as `warning: ...`.
    public var lines: [String] { contents.withLock { $0 } }

    /// A logger that adds to the lines.
    public var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.contents.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}
