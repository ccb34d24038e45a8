/// The progress of fetching one source.
public enum FetchProgress: Sendable, Equatable {
    /// The request was sent, and there is no response yet.
    case requested
    /// A part of the response has arrived. `of` is the total size; `nil` if the source did not send the total size.
    case received(bytes: Int, of: Int?)
    /// The request is retried after a failure; `attempt` counts from 2.
    case retrying(attempt: Int)
    /// The source has responded, or the request has failed.
    case responded

    /// The progress in words, to be shown after a source's name.
    var summary: String {
        switch self {
        case .requested: "requested"
        case .received(let bytes, let total): "reading \(ByteCount.formatted(bytes, of: total))"
        case .retrying(let attempt): "retrying, attempt \(attempt)"
        case .responded: "responded"
        }
    }

    /// The progress in a few words.
    var shortSummary: String {
        switch self {
        case .requested: "reading"
        case .retrying(let attempt): "attempt \(attempt)"
        case .received, .responded: summary
        }
    }
}

extension [Int: FetchProgress] {
    /// Whether every requested source has responded, so that only parsing is left.
    var isParsing: Bool { !isEmpty && values.allSatisfy { $0 == .responded } }

    /// The progress of the only source in a few words for the title. Of several sources, each has its own words.
    var summary: String {
        switch values.first {
        case .received(let bytes, let total)? where bytes > 0: "reading \(ByteCount.formatted(bytes, of: total))"
        case .retrying?: "retrying"
        case .responded?: "parsing"
        case .received?, .requested?, nil: "reading"
        }
    }
}

/// Formats byte counts in B, KB or MB. As for network speeds, 1 KB is 1000 bytes.
enum ByteCount {
    /// Received and total bytes, such as `1.2 MB of 3.4 MB`.
    static func formatted(_ bytes: Int, of total: Int?) -> String {
        formatted(bytes) + (total.map { " of \(formatted($0))" } ?? "")
    }

    /// A byte count in B, KB or MB, with one decimal below 10 KB and from 1 MB on.
    static func formatted(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<10_000: "\(tenths(bytes, 1_000)) KB"
        case ..<1_000_000: "\(bytes / 1_000) KB"
        default: "\(tenths(bytes, 1_000_000)) MB"
        }
    }

    /// A number of bytes divided by a unit, with one decimal.
    private static func tenths(_ bytes: Int, _ unit: Int) -> String {
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
