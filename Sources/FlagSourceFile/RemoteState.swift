public import FlagModel
public import FlagSourceSupport

/// What all sources say: the active documents, those that wait to be activated, and what went wrong.
public struct RemoteState: Sendable {
    /// A document with the moment it was fetched.
    public struct Copy: Sendable {
        /// What it says.
        public let document: SourceDocument
        /// When it was read from its source.
        public let fetchedAt: Timestamp
        let mark: CopyMark
        /// The content, for the cache; `nil` once the cache has it or when it came from there.
        var bytes: [UInt8]?
    }

    /// Why a source could not be read, and what is in use instead.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The failure.
        public let error: SourceError
        /// From when the values in use are; `nil` when there are none.
        public let lastGood: Timestamp?

        /// The failure and whether values stay in use; callers that show times take `lastGood` instead.
        public var description: String {
            lastGood == nil ? "\(error)." : "\(error). The values of \(lastGood?.rfc3339 ?? "") stay in use."
        }
    }

    /// What is known about one source.
    public struct Source: Sendable {
        /// Where it is.
        public let source: KeptSource
        /// The document that apps read; `nil` when there has never been a good one.
        public internal(set) var active: Copy?
        /// A fetched document that differs from the active one.
        public internal(set) var waiting: Copy?
        /// Why the source cannot be read now.
        public internal(set) var problem: Problem?
        /// When a service may be asked again.
        var schedule = FetchSchedule()

        /// Whether a service has answered in this run.
        public internal(set) var hasAnswered = false

        /// What the service calls the newest copy; `nil` for a file, and where there is none.
        public var version: String? {
            if case .version(let version)? = (waiting ?? active)?.mark { version } else { nil }
        }

        /// The moment from which on a service may be asked; `nil` when it may be now.
        public func throttledUntil(at now: Timestamp) -> Timestamp? {
            if case .throttled(let moment) = schedule.verdict(at: now, minimumInterval: .zero) { moment } else { nil }
        }
    }

    /// The sources in the order of precedence.
    public internal(set) var sources: [Source] = []
    /// What the cache has to store; empty when nothing has changed.
    var writes: [CacheWrite] = []

    /// Hands over what the cache has to store, once, as the content of large documents is among it.
    public mutating func takeWrites() -> [CacheWrite] {
        defer { writes = [] }
        return writes
    }

    /// Whether activating would change anything.
    public var isWaiting: Bool { sources.contains { $0.waiting != nil } }

    /// What went wrong, source by source.
    public var problems: [Problem] { sources.compactMap(\.problem) }

    /// When the oldest of the active documents was fetched.
    public var fetchedAt: Timestamp? { sources.compactMap(\.active?.fetchedAt).min() }

    /// The active documents joined. Sources that are in-app defaults go below the values of `defaults`.
    public func snapshot(defaults: ValueTable = ValueTable()) -> RemoteSnapshot {
        var documents: [RemoteDocument] = []
        var tables = [defaults]
        for document in sources.compactMap(\.active?.document) {
            switch document {
            case .remote(let remote): documents.append(remote)
            case .defaults(let table): tables.append(table)
            }
        }
        return RemoteSnapshot(documents: documents, defaults: ValueTable.joined(tables))
    }
}
