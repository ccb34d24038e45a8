public import FlagModel

/// The content of a flag's explanation, without formatting. The detail pane, the explanation sheet, line mode and the
/// command line each format it.
public struct ExplanationContent: Sendable {
    /// A value of the flag, with its origin.
    public struct Row: Sendable {
        /// The layer.
        public let layer: FlagLayer
        /// The source of the value; `nil` if the layer has no sources.
        public let source: SourceStatus?
        /// Whether the value is from a source that is not used for this flag because an earlier source also has the
        /// flag.
        public let isOtherSource: Bool
        /// The value as stored; `nil` if the layer does not have the key.
        public let value: String?
        /// A note on the value, in a few words; may be empty.
        public let note: String
        /// When the override was set; `nil` if unknown or for other layers. The note contains the age of the override.
        public let setAt: FlagTimestamp?
        /// Whether the value is valid for the flag's type.
        public let isCastable: Bool
        /// Whether apps use the value.
        public let isWinner: Bool

        /// The title of the source for ``isOtherSource``, otherwise the name of the layer.
        public var name: String { isOtherSource ? source?.title ?? "" : layer.word }
    }

    /// The flag.
    public let facts: FlagFacts
    /// A row for each layer, the highest first. After the remote layer, a row for each other source that has the flag.
    public let rows: [Row]
    /// The programs whose code declares the flag, with the age of those that do not run; empty if none does.
    public let declarers: [String]

    /// The explanation of a flag.
    ///
    /// - Parameters:
    ///   - snapshot: the merged values of the sources.
    ///   - sources: all sources, the first one first.
    ///   - remote: the note on the remote value if there is only one source, such as ``fetched(at:now:)``.
    ///   - now: the current time, for ages.
    public init(
        _ facts: FlagFacts, in snapshot: RemoteSnapshot, sources: [SourceStatus], remote: String, now: FlagTimestamp
    ) {
        self.facts = facts
        declarers = facts.declarations.map { $0.label(at: now) }
        let sourceValues = snapshot.holders(of: FlagText(facts.key)).compactMap { place, value in
            sources.indices.contains(place) ? (source: sources[place], value: value.string) : nil
        }
        let otherRows = sourceValues.dropFirst().map { source, value in
            Row(
                layer: .remote, source: source, isOtherSource: true, value: value, note: source.age(at: now),
                setAt: nil, isCastable: true, isWinner: false)
        }
        let topSource = sourceValues.first?.source
        let origin = sources.count > 1 ? topSource.map { "from \($0.title), active, \($0.age(at: now))" } : nil
        rows = facts.explanation.entries.flatMap { entry in
            let isRemote = entry.layer == .remote
            let row = Row(
                layer: entry.layer, source: isRemote ? topSource : nil, isOtherSource: false,
                value: entry.value?.string,
                note: Self.note(entry, of: facts, remote: origin ?? remote, now: now),
                setAt: facts.override(in: entry.layer)?.setAt, isCastable: entry.isCastable,
                isWinner: entry.layer == facts.explanation.winner)
            return [row] + (isRemote ? otherRows : [])
        }
    }

    /// Owner, expiry, required flags, and the programs that declare the flag, each with its label; only those that the
    /// flag has.
    public var metadata: [(label: String, text: String)] {
        let requires = (facts.item?.requires ?? []).map(\.string).joined(separator: ", ")
        return [
            ("Owner", facts.item?.owner?.string),
            (facts.expiry == nil ? "Expires" : "Expired", facts.item?.expires?.string),
            ("Requires", requires.isEmpty ? nil : requires),
            ("Declared", declarers.isEmpty ? nil : "by \(declarers.joined(separator: "; "))"),
        ].compactMap { label, text in text.map { (label, $0) } }
    }

    /// The note that an app reads the flag only at its next start; `nil` for any other flag.
    public var restart: String? {
        facts.item?.needsRestart == true ? "The app reads it at its next start." : nil
    }

    /// The note on remote values that are in use.
    public static func fetched(at moment: FlagTimestamp, now: FlagTimestamp) -> String {
        "active, fetched \(moment.age(at: now))"
    }

    /// The note on the value of a layer; may be empty.
    private static func note(
        _ entry: Explanation.Entry, of facts: FlagFacts, remote: String, now: FlagTimestamp
    ) -> String {
        guard entry.value != nil else {
            // A service may have a reason for sending no value.
            return entry.layer == .remote ? facts.remoteNote ?? "" : ""
        }
        let typeError = entry.isCastable ? "" : "not \(facts.type.withArticle), ignored"
        let details =
            switch entry.layer {
            case .launch: ["this run only"]
            case .override, .team: [setting(of: facts.override(in: entry.layer), now: now)]
            case .remote: [facts.remoteNote ?? "", remote]
            case .default: [""]
            }
        return ([typeError] + details).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Who set an override and when, why, and when it ends, as far as this is known; empty if nothing is.
    private static func setting(of override: FlagOverride?, now: FlagTimestamp) -> String {
        let author = override?.setBy.map { "set by \($0)" }
        let age = override?.setAt?.age(at: now)
        let setting = [age == nil ? author : author ?? "set", age].compactMap { $0 }
        return (setting + (override?.additions(at: now) ?? [])).joined(separator: ", ")
    }
}

extension SourceStatus {
    /// The age of the source's values, in words.
    fileprivate func age(at now: FlagTimestamp) -> String {
        if case .read = condition { "fetched \(summary(at: now))" } else { summary(at: now) }
    }
}
