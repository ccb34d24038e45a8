/// How a fetch ended. The first, the second and the last are those that clients of remote config know.
public enum FetchOutcome: Sendable, Hashable {
    /// A source responded.
    case fetchedFromRemote
    /// What was fetched before is newer than the minimum interval; nothing was requested.
    case usedPreFetched
    /// The sources are rate limited; fetch again in that many seconds.
    case throttled(seconds: Int)
    /// No source that was requested responded; the sentence says why, and which values stay in use.
    case failed(String)
}
