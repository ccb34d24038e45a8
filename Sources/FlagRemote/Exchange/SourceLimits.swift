/// Limits on the time and size of an exchange.
public struct SourceLimits: Sendable, Hashable {
    /// How long a service may be silent before it counts as unreachable; 10 seconds, a usual guideline.
    public var silence: Duration
    /// How long the whole exchange may take, redirects included; 30 seconds.
    public var total: Duration
    /// In bytes, decompressed; 32 MiB, enough for 100,000 flags with their descriptions.
    public var bodySize: Int
    /// How many redirects are followed; 5, as in RFC 2068.
    public var redirects: Int

    /// Limits; each default is described at its property.
    public init(
        silence: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 32 << 20, redirects: Int = 5
    ) {
        self.silence = silence
        self.total = total
        self.bodySize = bodySize
        self.redirects = redirects
    }

    /// For a fetch.
    public static let fetch = SourceLimits()

    /// For an event stream: it lasts until it breaks off, and a service may be silent for 5 minutes; the slowest known
    /// heartbeat is every 3.
    public static let stream = SourceLimits(silence: .seconds(300))
}

/// The progress of a response.
public enum SourceProgress: Sendable, Hashable {
    /// So many bytes have arrived; the total is known only if the service names it.
    case received(bytes: Int, of: Int?)
    /// The request is retried after a failure; `attempt` counts from 2.
    case retrying(attempt: Int, after: Duration)
}
