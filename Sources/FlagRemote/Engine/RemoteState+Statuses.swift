package import FlagModel

extension RemoteState {
    /// The name that settings and commands use for each source; `nil` for a source that is built in.
    package var names: [String?] { sources.map { $0.isBuiltIn ? nil : $0.address } }

    /// The status of each source that is not built in.
    package var statuses: [SourceStatus] {
        sources.filter { !$0.isBuiltIn }.map { source in
            var condition = source.active.map { SourceStatus.Condition.read(at: $0.fetchedAt) } ?? .unread
            if let error = source.error {
                condition = .failed(reason: error.sentence.asSentence, cachedFrom: source.active?.fetchedAt)
            }
            return SourceStatus(
                name: source.address, title: source.name, condition: condition, isWaiting: source.hasUpdate,
                rateLimitedUntil: source.isLocal ? nil : source.rateLimitedUntil)
        }
    }
}
