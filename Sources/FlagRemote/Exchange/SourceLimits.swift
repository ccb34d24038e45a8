/// Limits on the time and size of an exchange.
public struct SourceLimits: Sendable, Hashable {
    /// How long a service may be silent before it counts as unreachable; 10 seconds, a usual guideline.
    public var idleTimeout: Duration
    /// How long the whole exchange may take, redirects included; 30 seconds.
    public var total: Duration
    /// The maximum size of a body after decompression, in bytes; 32 MiB, enough for 100,000 flags with their
    /// descriptions.
    public var bodySize: Int
    /// How many redirects are followed, as in RFC 2068.
    package static let redirects = 5

    /// Limits; each default is described at its property.
    public init(
        idleTimeout: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 32 << 20
    ) {
        (self.idleTimeout, self.total, self.bodySize) = (idleTimeout, total, bodySize)
    }

    /// The limits for a fetch.
    public static let fetch = SourceLimits()

    /// The limits for an event stream. A service may be silent for 5 minutes, as the slowest known heartbeat is every
    /// 3 minutes.
    public static let stream = SourceLimits(idleTimeout: .seconds(300))
}

/// How far a request is: the bytes received so far, or another attempt after a failure.
public enum SourceProgress: Sendable, Hashable {
    /// The number of bytes that have arrived, and the total; `nil` if the service does not send the total.
    case received(bytes: Int, of: Int?)
    /// The request is retried after a failure; `attempt` counts from 2.
    case retrying(attempt: Int, after: Duration)
}
