/// When fetched values become the ones that are read.
public enum Activation: Sendable, Hashable {
    /// As soon as they are there.
    case immediately
    /// At the next start of the app, so that one run reads one consistent set of remote values.
    case nextLaunch
}

/// How a fetch ended. The first, the second and the last are those of Firebase's clients.
public enum FetchOutcome: Sendable, Hashable {
    /// A source answered.
    case fetchedFromRemote
    /// What was fetched before is newer than the minimum interval; nothing was asked.
    case usedPreFetched
    /// The sources want to be left alone; ask again in that many seconds.
    case throttled(seconds: Int)
    /// No source that was asked answered; the sentence says why, and which values stay in use.
    case failed(String)
}
