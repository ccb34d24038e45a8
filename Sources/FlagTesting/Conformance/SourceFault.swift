#if Network
public import FlagRemote

/// A fault of a service.
public enum SourceFault: String, Sendable, CaseIterable {
    case refused, reset, hang, drip, unrequestedNotModified
    case status400, status401, status403, status404, status408
    case status429, status429RetryAfter, status500, status503
    case truncated, malformed, wrongType, fiftyMegabytes, gzipBomb, redirectLoop

    /// The code that a source's error must have; `nil` if several codes are right.
    public var code: SourceError.Code? {
        switch self {
        case .refused, .reset: .unreachable
        case .hang, .drip, .status408: .timedOut
        case .status400, .redirectLoop: .rejected
        case .status401, .status403: .refused
        case .status404: .missing
        case .status429, .status429RetryAfter: .rateLimited
        case .status500, .status503: .faulty
        case .fiftyMegabytes, .gzipBomb: .tooLarge
        case .truncated, .malformed, .wrongType, .unrequestedNotModified: nil
        }
    }

    /// The maximum number of requests of a fetch if each request has the fault.
    ///
    /// - Parameter neverRetries: whether a fetch does not retry after transient errors.
    func requestsPerFetch(neverRetries: Bool) -> Int {
        switch self {
        case .redirectLoop: 1 + SourceLimits.redirects
        case .reset, .status500, .status503, .truncated: neverRetries ? 1 : RetryPolicy.standard.attempts
        default: 1
        }
    }

    /// Limits for requests that must succeed on a machine that runs a thousand other tests.
    static let generous = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120))

    /// Limits with which this fault, if it causes a time-out, does so within a second. The limits for other faults are
    /// generous, as the machine may be busy.
    var limits: SourceLimits {
        switch self {
        case .hang: SourceLimits(idleTimeout: .milliseconds(500))
        case .drip: SourceLimits(total: .milliseconds(600))
        default: SourceLimits(idleTimeout: Self.generous.idleTimeout, total: Self.generous.total, bodySize: 8 << 20)
        }
    }

    /// Injects the fault into all requests from now on.
    func inject(into server: LoopbackServer) async {
        guard let reply else { return await server.refuse() }
        server.inject(reply, times: .max)
    }

    /// The reply to a request; `nil` for a fault without a connection.
    var reply: LoopbackReply? {
        switch self {
        case .refused: nil
        case .reset: .reset
        case .hang: .hang
        case .drip: .drip(Self.object, pause: .milliseconds(50))
        case .unrequestedNotModified: .status(304)
        case .status400: .json(#"{"errorCode": "PARSE_ERROR"}"#, status: 400)
        case .status429RetryAfter: .status(429, headers: [("Retry-After", "\(Self.retryAfter)")])
        case .truncated: .truncated(Self.object)
        case .malformed: .json(#"{"flags": [{"key": "#)
        case .wrongType: .respond(.ok(Array("<!DOCTYPE html><title>Sign in</title>".utf8), type: "text/html"))
        case .fiftyMegabytes: .respond(.ok([UInt8](repeating: UInt8(ascii: " "), count: 50 << 20)))
        case .gzipBomb: .respond(.ok(GzipBytes.bomb(size: 100 << 20), coding: "gzip"))
        case .redirectLoop: .status(307, headers: [("Location", "/again")])
        case .status401, .status403, .status404, .status408, .status429, .status500, .status503:
            .status(Int(rawValue.suffix(3)) ?? 0)
        }
    }

    /// The requested wait, in seconds.
    static let retryAfter = 90

    private static let object = SourceResponse.ok(Array(#"{"a": "a document that is longer than a moment"}"#.utf8))
}

extension SourceResponse {
    /// The response of a healthy service.
    static func ok(_ body: [UInt8], type: String = "application/json", coding: String? = nil) -> SourceResponse {
        let coding = coding.map { [("Content-Encoding", $0)] } ?? []
        return SourceResponse(status: 200, headers: SourceHeaders([("Content-Type", type)] + coding), body: body)
    }
}
#endif
