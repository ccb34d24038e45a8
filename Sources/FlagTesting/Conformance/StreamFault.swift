#if Network
import FlagRemote

/// A fault of a stream of changes.
public enum StreamFault: String, Sendable, CaseIterable {
    case refused, reset, hang, drip
    case status204, status400, status401, status403, status404, status408
    case status429, status429RetryAfter, status500, status503
    /// The stream breaks off in the middle of an event.
    case truncated
    /// The stream closes cleanly before the first event.
    case closed
    /// The stream closes cleanly after each event.
    case shortLived
    case malformedEvent, wrongType
    /// A line of 50 MB, without the end of an event.
    case fiftyMegabytes
    case gzipBomb, redirectLoop
    /// A redirect to another origin, to which credentials must not be sent.
    case redirectElsewhere
    /// The service sends nothing more, not even a keep-alive.
    case idleTimeout
    case clockJump

    /// Whether both faults may have the same sentence.
    func isLike(_ other: StreamFault) -> Bool {
        // A busy kernel sometimes reports a refused connection as a reset.
        [[.refused, .reset], [.closed, .shortLived]].contains(Set([self, other]))
    }

    /// Limits with which a connection with this fault ends within a second; `nil` for the usual limits.
    var limits: SourceLimits? {
        switch self {
        case .hang, .idleTimeout: SourceFault.hang.limits
        case .drip: SourceFault.drip.limits
        default: nil
        }
    }

    /// The duration of the test in virtual time: an hour, or less if each connection takes real time.
    var watch: Duration { limits == nil && self != .fiftyMegabytes ? .seconds(3_600) : .seconds(600) }

    /// The maximum number of connections that may be attempted during ``watch``.
    var bound: Int {
        switch self {
        // One connection after each `Retry-After`.
        case .status429RetryAfter: 1 + 3_600 / SourceFault.retryAfter
        // One connection every five minutes.
        case .status401, .status403: 1 + 3_600 / 300
        // The first connection, others after waits of 1, 2, 4, 8, 16 and 32 seconds, and then one every minute.
        default: 7 + (Int(watch.components.seconds) - 63) / 60
        }
    }

    /// The reply to a request for the stream; `nil` if the healthy service replies.
    ///
    /// - Parameters:
    ///   - request: the request for the stream.
    ///   - other: the address of a server at another origin.
    func reply(to request: LoopbackRequest, _ suite: StreamConformanceSuite, other: String) -> LoopbackReply? {
        let type = suite.contentType
        return switch self {
        case .drip: .drip(.ok(suite.event, type: type), pause: .milliseconds(50))
        case .status204: .status(204)
        case .truncated: .truncated(.ok(suite.event, type: type))
        case .closed: .respond(.ok([], type: type))
        case .shortLived: .respond(.ok(suite.event, type: type))
        case .fiftyMegabytes:
            .respond(.ok(suite.eventStart + [UInt8](repeating: UInt8(ascii: "x"), count: 50 << 20), type: type))
        case .gzipBomb: .respond(.ok(GzipBytes.bomb(size: 100 << 20), type: type, coding: "gzip"))
        case .redirectLoop: .status(307, headers: [("Location", "\(request.path)?again=1")])
        case .redirectElsewhere: .status(307, headers: [("Location", "\(other)\(request.path)")])
        default: SourceFault(rawValue: rawValue)?.reply
        }
    }
}
#endif
