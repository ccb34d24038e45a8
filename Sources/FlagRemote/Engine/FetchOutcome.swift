/// How a fetch ended. Vendors' remote-config clients have all these cases except for ``rateLimited(seconds:)``.
public enum FetchOutcome: Sendable, Hashable {
    /// A source responded.
    case fetchedFromRemote
    /// The last responses are newer than the minimum interval; nothing was requested.
    case usedPreFetched
    /// The sources are rate limited; fetch again in that many seconds.
    case rateLimited(seconds: Int)
    /// None of the requested sources responded; the text says why, and which values stay in use.
    case failed(String)
}
