/// How a fetch ended. Vendors' remote-config clients have all these cases except for ``rateLimited(seconds:)``.
public enum FetchOutcome: Sendable, Hashable {
    /// A source responded.
    case fetchedFromRemote
    /// The last responses are younger than the minimum interval; nothing was requested.
    case usedPreFetched
    /// The sources are rate limited; fetch again in that many seconds.
    case rateLimited(seconds: Int)
    /// None of the requested sources responded. The text says why, and which values stay in use.
    case failed(String)
}
