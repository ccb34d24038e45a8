public import FlagModel

/// The remote value of a flag by the sources that have one. The menu, its lines and the
/// command line say the same.
public struct SourceValues {
    /// A source that has a value for the flag.
    public struct Holder: Sendable {
        /// The source.
        public let source: SourceStanding
        /// What it says.
        public let value: FlagText
    }

    /// Those that have one, the one whose value is in use first.
    public let holders: [Holder]
    private let isOneOfSeveral: Bool
    private let now: Timestamp

    /// The sources of a flag.
    ///
    /// - Parameters:
    ///   - sources: all of them, the first one first.
    ///   - snapshot: what they say together.
    public init(of key: String, in snapshot: RemoteSnapshot, sources: [SourceStanding], now: Timestamp) {
        self.now = now
        isOneOfSeveral = sources.count > 1
        holders = snapshot.holders(of: FlagText(key)).compactMap { place, value in
            sources.indices.contains(place) ? Holder(source: sources[place], value: value) : nil
        }
    }

    /// What is said of the value that is in use: whose it is, and how old; `nil` where there is one source, which goes without
    /// saying.
    public var note: String? {
        guard isOneOfSeveral, let first = holders.first else { return nil }
        return "from \(first.source.title), active, \(first.source.age(at: now))"
    }

    /// What is said of the value of another source, behind it.
    public func note(of holder: Holder) -> String { holder.source.age(at: now) }
}

extension SourceStanding {
    /// How old its values are.
    fileprivate func age(at now: Timestamp) -> String {
        if case .read = condition { "fetched \(words(at: now))" } else { words(at: now) }
    }
}
