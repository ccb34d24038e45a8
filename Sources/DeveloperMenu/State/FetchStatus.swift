/// The progress of fetching one source.
public enum FetchProgress: Sendable, Equatable {
    /// The request was sent, and there is no response yet.
    case asked
    /// So many bytes have arrived; the total is known only if the source names it.
    case received(bytes: Int, of: Int?)
    /// The request is retried after a failure; `attempt` counts from 2.
    case askedAgain(attempt: Int)
    /// It has responded, or failed.
    case answered

    /// In words, after a source's name.
    var words: String {
        switch self {
        case .asked: "requested"
        case .received(let bytes, let total): "being read, \(ByteCount.words(bytes, of: total))"
        case .askedAgain(let attempt): "retrying, attempt \(attempt)"
        case .answered: "responded"
        }
    }

    /// In words for small spaces.
    var shortWords: String {
        switch self {
        case .asked: "reading"
        case .received(let bytes, let total): "reading " + ByteCount.words(bytes, of: total)
        case .askedAgain(let attempt): "attempt \(attempt)"
        case .answered: "answered"
        }
    }
}

/// The fetch under way.
public struct FetchStatus: Sendable, Equatable {
    /// The progress, by a source's index.
    private(set) var progress: [Int: FetchProgress] = [:]

    mutating func take(_ progress: FetchProgress, of source: Int) { self.progress[source] = progress }

    /// Whether every requested source has responded, so that only parsing is left.
    var isParsing: Bool { !progress.isEmpty && progress.values.allSatisfy { $0 == .answered } }

    /// For all sources together, in few words, for the title.
    var words: String {
        guard !isParsing else { return "parsing" }
        let open = progress.values.filter { $0 != .answered }
        var (bytes, total): (Int, Int?) = (0, 0)
        for single in open {
            guard case .received(let count, let all) = single else {
                total = nil
                continue
            }
            bytes += count
            total = total.flatMap { known in all.map { known + $0 } }
        }
        if bytes > 0 { return "reading \(ByteCount.words(bytes, of: total))" }
        let isAgain = open.contains { if case .askedAgain = $0 { true } else { false } }
        return isAgain ? "retrying" : "reading"
    }
}

/// Numbers of bytes for people: in units of thousand, as for networks.
enum ByteCount {
    /// Received and total bytes, such as `1.2 MB of 3.4 MB`.
    static func words(_ bytes: Int, of total: Int?) -> String {
        words(bytes) + (total.map { " of \(words($0))" } ?? "")
    }

    /// A number in the largest unit of which it has at least one; with a decimal if that is useful.
    static func words(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<10_000: "\(tenths(bytes, 1_000)) KB"
        case ..<1_000_000: "\(bytes / 1_000) KB"
        default: "\(tenths(bytes, 1_000_000)) MB"
        }
    }

    private static func tenths(_ bytes: Int, _ unit: Int) -> String {
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
