/// How long an exchange may take, and how much it may bring.
public struct SourceLimits: Sendable, Hashable {
    /// How long a service may say nothing before it counts as gone; 10 seconds, a usual guideline.
    public var silence: Duration
    /// How long the whole exchange may take, redirects included; 30 seconds.
    public var total: Duration
    /// In bytes, decompressed; 32 MiB, which holds 100,000 flags with their descriptions.
    public var bodySize: Int
    /// How many redirects are followed; 5, as in RFC 2068.
    public var redirects: Int

    /// Limits; what is left out is as described at each.
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

    /// For a stream of events: it lasts until it breaks off, and a service may say nothing for 5 minutes; the
    /// quietest that is known sends a sign of life every 3.
    public static let stream = SourceLimits(silence: .seconds(300))
}

/// How far an answer has come.
public enum SourceProgress: Sendable, Hashable {
    /// So many bytes have come; of how many is known only where the service says so.
    case received(bytes: Int, of: Int?)
    /// It is asked again after a failure; `attempt` counts from 2.
    case retrying(attempt: Int, after: Duration)
}
