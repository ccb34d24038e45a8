public import FlagModel

/// The content of a flag's explanation, without formatting. The detail pane, the explanation sheet, line mode and the
/// command line format the same rows.
public struct ExplanationContent: Sendable {
    /// A value of the flag, with its origin.
    public struct Row: Sendable {
        /// The layer.
        public let layer: Layer
        /// The source that has the value; `nil` in a layer without sources.
        public let source: SourceStatus?
        /// `true` for a source below the one whose remote value is in use.
        public let isOtherSource: Bool
        /// The value as stored; `nil` if the layer does not have the key.
        public let value: String?
        /// A note on the value, in a few words; may be empty.
        public let note: String
        /// When the value was set, if that is known. The note has its age.
        public let setAt: Timestamp?
        /// Whether the value is valid for the flag's type.
        public let isCastable: Bool
        /// Whether apps use the value.
        public let isWinner: Bool

        /// The layer's word, or the title of a source below the one in use.
        public var name: String { isOtherSource ? source?.title ?? "" : layer.word }
    }

    /// The flag.
    public let facts: FlagFacts
    /// A row for each layer, the highest first, and after the remote one a row for each other source that has the flag.
    public let rows: [Row]

    /// The explanation of a flag.
    ///
    /// - Parameters:
    ///   - snapshot: the merged values of the sources.
    ///   - sources: all sources, the first one first.
    ///   - remote: the state of the remote values, such as ``fetched(at:now:)``; used if there is only one source.
    ///   - now: the time that ages count from.
    public init(
        _ facts: FlagFacts, in snapshot: RemoteSnapshot, sources: [SourceStatus], remote: String, now: Timestamp
    ) {
        self.facts = facts
        let holders = snapshot.holders(of: FlagText(facts.key)).compactMap { place, value in
            sources.indices.contains(place) ? (source: sources[place], value: value.string) : nil
        }
        let others = holders.dropFirst().map { source, value in
            Row(
                layer: .remote, source: source, isOtherSource: true, value: value, note: source.age(at: now),
                setAt: nil, isCastable: true, isWinner: false)
        }
        let first = holders.first?.source
        let origin = sources.count > 1 ? first.map { "from \($0.title), active, \($0.age(at: now))" } : nil
        rows = facts.explanation.entries.flatMap { entry in
            let isRemote = entry.layer == .remote
            let row = Row(
                layer: entry.layer, source: isRemote ? first : nil, isOtherSource: false, value: entry.value?.string,
                note: Self.note(entry, of: facts, remote: origin ?? remote, now: now),
                setAt: entry.layer == .override ? facts.override?.setAt : nil, isCastable: entry.isCastable,
                isWinner: entry.layer == facts.explanation.winner)
            return [row] + (isRemote ? others : [])
        }
    }

    /// Owner and similar facts, each with its label.
    public var metadata: [(label: String, text: String)] {
        let requires = (facts.item?.requires ?? []).map(\.string).joined(separator: ", ")
        return [
            ("Owner", facts.item?.owner?.string),
            (facts.expiry == nil ? "Expires" : "Expired", facts.item?.expires?.string),
            ("Requires", requires.isEmpty ? nil : requires),
        ].compactMap { label, text in text.map { (label, $0) } }
    }

    /// The note on a flag that needs a restart; `nil` for any other.
    public var restart: String? {
        facts.item?.needsRestart == true ? "The app reads it at its next start." : nil
    }

    /// The status of remote values that are in use.
    public static func fetched(at moment: Timestamp, now: Timestamp) -> String {
        "active, fetched \(moment.age(at: now))"
    }

    private static func note(
        _ entry: Explanation.Entry, of facts: FlagFacts, remote: String, now: Timestamp
    ) -> String {
        guard entry.value != nil else {
            // Why a service leaves the value to the app is as useful as why it has one.
            return entry.layer == .remote ? facts.remoteNote ?? "" : ""
        }
        let article = facts.type == .int ? "an" : "a"
        let unread = entry.isCastable ? "" : "not \(article) \(facts.type.rawValue), ignored"
        let known =
            switch entry.layer {
            case .launch: ["this run only"]
            case .override: [setting(of: facts.override, now: now)]
            case .remote: [facts.remoteNote ?? "", remote]
            default: [""]
            }
        return ([unread] + known).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func setting(of override: Override?, now: Timestamp) -> String {
        let who = override?.setBy.map { "set by \($0)" }
        guard let moment = override?.setAt else { return who ?? "" }
        return "\(who ?? "set"), \(moment.age(at: now))"
    }
}

extension MenuState {
    /// The explanation of a flag now.
    func explanation(of facts: FlagFacts) -> ExplanationContent {
        let phase =
            switch remote.phase {
            case .loading: "being read"
            // Values that wait for activation are newer than the active ones.
            case .loaded(let moment): ExplanationContent.fetched(at: moment, now: now)
            case .failed(let moment?): "cached \(moment.age(at: now))"
            case .failed(nil): ""
            }
        return ExplanationContent(facts, in: board.snapshot, sources: remote.sources, remote: phase, now: now)
    }
}

extension SourceStatus {
    /// The age of its values.
    fileprivate func age(at now: Timestamp) -> String {
        if case .read = condition { "fetched \(words(at: now))" } else { words(at: now) }
    }
}
