public import FlagModel
public import FlagRemote

/// What all sources say: the active documents, those that wait to be activated, and what went wrong.
public struct RemoteState: Sendable {
    /// A document with the moment it was fetched.
    public struct Copy: Sendable {
        /// What it says.
        public let document: SourceDocument
        /// When it was read from its source.
        public let fetchedAt: Timestamp
        let mark: CopyMark
        /// What tells the content of a service's answer from any other; `nil` for a file, which its mark is enough for.
        let digest: String?
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
            error.asSentence + (lastGood.map { " The values of \($0.rfc3339) stay in use." } ?? "")
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

        /// When its copies were last used, as far as that was noted.
        var usedAt: Timestamp?

        /// When a service of which nothing is kept was last asked in vain, in this run or another one.
        var failedAt: Timestamp?

        /// For so long, in seconds, who has other values to show does without those of a service that did not answer: a minute, so
        /// that a script of many commands does not wait for it in each of them.
        private static let forbearance: Int64 = 60

        /// For how many seconds the service is still done without, as it has just been asked in vain; `nil` where it is not.
        public func forbearance(at now: Timestamp) -> Int64? {
            guard let failedAt, now >= failedAt, now.seconds - failedAt.seconds < Self.forbearance else { return nil }
            return Self.forbearance - (now.seconds - failedAt.seconds)
        }

        /// Whether a service has answered in this run.
        public internal(set) var hasAnswered = false

        /// Takes over how the asking of it has ended in this run.
        mutating func take(_ known: Source?) {
            (problem, hasAnswered) = (known?.problem, known?.hasAnswered ?? false)
        }

        /// Whether activating would change what it says. A document may be another one and say the same, such as where a service
        /// counts its versions in it.
        public var hasUpdate: Bool {
            guard let waiting else { return false }
            return active.map { !waiting.document.saysTheSame(as: $0.document) } ?? true
        }

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

    /// Notes why a source was not asked.
    public mutating func note(_ error: SourceError, of identity: String) {
        for index in sources.indices where sources[index].source.identity == identity {
            sources[index].problem = Problem(error: error, lastGood: sources[index].active?.fetchedAt)
        }
    }

    /// Hands over what the cache has to store, once, as the content of large documents is among it.
    public mutating func takeWrites() -> [CacheWrite] {
        defer { writes = [] }
        return writes
    }

    /// Takes back what could not be stored, so that it is tried again. Of what a later write replaces nothing is kept.
    public mutating func putBack(_ unstored: [CacheWrite]) {
        let all = unstored + writes
        writes = all.enumerated().filter { index, write in
            !all[(index + 1)...].contains { later in
                guard later.name == write.name else { return false }
                if case .amend = later, case .write = write { return false }
                return true
            }
        }.map(\.element)
    }

    /// Whether activating would change what any of them says.
    public var hasUpdate: Bool { sources.contains(where: \.hasUpdate) }

    /// Whether any document waits.
    public var isWaiting: Bool { sources.contains { $0.waiting != nil } }

    /// What went wrong, source by source.
    public var problems: [Problem] { sources.compactMap(\.problem) }

    /// When the oldest of the active documents was fetched.
    public var fetchedAt: Timestamp? { sources.compactMap(\.active?.fetchedAt).min() }

    /// When the one was read that was read the longest ago, be what it said in use or not.
    public var readAt: Timestamp? { sources.compactMap { ($0.waiting ?? $0.active)?.fetchedAt }.min() }

    /// The active documents joined. Sources that are in-app defaults go below the values of `defaults`.
    public func snapshot(defaults: ValueTable = ValueTable()) -> RemoteSnapshot {
        var (documents, places): ([RemoteDocument], [Int]) = ([], [])
        var tables = [defaults]
        for (place, source) in sources.enumerated() {
            switch source.active?.document {
            case .remote(let remote)?:
                documents.append(remote)
                places.append(place)
            case .defaults(let table)?: tables.append(table)
            case nil: break
            }
        }
        return RemoteSnapshot(documents: documents, places: places, defaults: ValueTable.joined(tables))
    }
}
