/// How far the asking of one source is.
public enum FetchProgress: Sendable, Equatable {
    /// It was asked, and nothing has come yet.
    case asked
    /// So many bytes have come; of how many is known only where the source says so.
    case received(bytes: Int, of: Int?)
    /// It is asked again after a failure; `attempt` counts from 2.
    case askedAgain(attempt: Int)
    /// It has answered, or failed.
    case answered

    /// In words, behind a source's name.
    var words: String {
        switch self {
        case .asked: "requested"
        case .received(let bytes, let total): "being read, \(ByteCount.words(bytes, of: total))"
        case .askedAgain(let attempt): "retrying, attempt \(attempt)"
        case .answered: "responded"
        }
    }

    /// The same for where there is little room.
    var shortWords: String {
        switch self {
        case .asked: "reading"
        case .received(let bytes, let total): "reading " + ByteCount.words(bytes, of: total)
        case .askedAgain(let attempt): "attempt \(attempt)"
        case .answered: "answered"
        }
    }
}

/// The asking of sources that is under way.
public struct FetchStatus: Sendable, Equatable {
    /// How far it is, by a source's place among all.
    private(set) var progress: [Int: FetchProgress] = [:]

    mutating func take(_ progress: FetchProgress, of source: Int) { self.progress[source] = progress }

    /// Whether every source that was asked has answered, so that only the reading of answers is left.
    var isParsing: Bool { !progress.isEmpty && progress.values.allSatisfy { $0 == .answered } }

    /// For all sources together, in few words, as the title has it.
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

/// Numbers of bytes for people: in thousands, as networks count.
enum ByteCount {
    /// So many of so many, such as `1.2 MB of 3.4 MB`.
    static func words(_ bytes: Int, of total: Int?) -> String {
        words(bytes) + (total.map { " of \(words($0))" } ?? "")
    }

    /// A number in the largest unit of which it has at least one; one decimal where that says more.
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
