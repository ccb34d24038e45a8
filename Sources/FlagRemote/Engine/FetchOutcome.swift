/// How a fetch ended. The first, the second and the last case are those of vendors' remote-config clients.
public enum FetchOutcome: Sendable, Hashable {
    /// A source responded.
    case fetchedFromRemote
    /// What was fetched before is newer than the minimum interval; nothing was requested.
    case usedPreFetched
    /// The sources are rate limited; fetch again in that many seconds.
    case throttled(seconds: Int)
    /// None of the requested sources responded; the sentence says why, and which values stay in use.
    case failed(String)
}
