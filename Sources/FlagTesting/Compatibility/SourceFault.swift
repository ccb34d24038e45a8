import FlagModel
public import FlagRemote

/// Everything that a service does to its clients sooner or later.
public enum SourceFault: String, Sendable, CaseIterable, CustomStringConvertible {
    case refused, reset, hang, drip, unaskedNotModified
    case status400, status401, status403, status404, status408
    case status429, status429RetryAfter, status500, status503
    case truncated, malformed, wrongType, fiftyMegabytes, gzipBomb, redirectLoop

    /// Its name.
    public var description: String { rawValue }

    /// What a source says of it; `nil` where more than one word fits.
    public var code: SourceError.Code? {
        switch self {
        case .refused, .reset: .unreachable
        case .hang, .drip, .status408: .timedOut
        case .status400, .redirectLoop: .rejected
        case .status401, .status403: .refused
        case .status404: .missing
        case .status429, .status429RetryAfter: .throttled
        case .status500, .status503: .faulty
        case .fiftyMegabytes, .gzipBomb: .tooLarge
        case .truncated, .malformed, .wrongType, .unaskedNotModified: nil
        }
    }

    /// How many requests a fetch from a service may take that does it to each.
    ///
    /// - Parameter isAskedOnce: whether what may pass is not asked about again within a fetch.
    func requestsPerFetch(isAskedOnce: Bool) -> Int {
        switch self {
        case .redirectLoop: 1 + limits.redirects
        // Firebase's installations are asked about a second time after it, by its clients as well.
        case .status500 where isAskedOnce: 2
        case .reset, .status500, .status503, .truncated: isAskedOnce ? 1 : RetryPolicy.standard.attempts
        default: 1
        }
    }

    /// For exchanges that are to succeed: what a machine takes that runs a thousand tests besides.
    static let patient = SourceLimits(silence: .seconds(60), total: .seconds(120))

    /// Limits that make it come to light at once; the others hold for a machine that is busy.
    var limits: SourceLimits {
        switch self {
        case .hang: SourceLimits(silence: .milliseconds(300))
        case .drip: SourceLimits(total: .milliseconds(600))
        default: SourceLimits(silence: Self.patient.silence, total: Self.patient.total, bodySize: 8 << 20)
        }
    }

    /// Makes a server do it from now on.
    func strike(_ server: LoopbackServer) async {
        switch self {
        case .refused: await server.refuse()
        default: reply.map { server.inject($0, times: .max) }
        }
    }

    private var reply: LoopbackReply? {
        switch self {
        case .refused: nil
        case .reset: .reset
        case .hang: .hang
        case .drip: .drip(Self.object, pause: .milliseconds(50))
        case .unaskedNotModified: .status(304)
        case .status400: .json(#"{"errorCode": "PARSE_ERROR"}"#, status: 400)
        case .status401: .status(401)
        case .status403: .status(403)
        case .status404: .status(404)
        case .status408: .status(408)
        case .status429: .status(429)
        case .status429RetryAfter: .status(429, headers: [("Retry-After", "90")])
        case .status500: .status(500)
        case .status503: .status(503)
        case .truncated: .truncated(Self.object)
        case .malformed: .json(#"{"flags": [{"key": "#)
        case .wrongType:
            .answer(
                SourceResponse(
                    status: 200, headers: SourceHeaders([("Content-Type", "text/html")]),
                    body: Array("<!DOCTYPE html><title>Sign in</title>".utf8)))
        case .fiftyMegabytes:
            .answer(
                SourceResponse(
                    status: 200, headers: SourceHeaders([("Content-Type", "application/json")]),
                    body: [UInt8](repeating: UInt8(ascii: " "), count: 50 << 20)))
        case .gzipBomb:
            .answer(
                SourceResponse(
                    status: 200,
                    headers: SourceHeaders([("Content-Type", "application/json"), ("Content-Encoding", "gzip")]),
                    body: GzipBytes.bomb(size: 100 << 20)))
        case .redirectLoop: .status(307, headers: [("Location", "/again")])
        }
    }

    private static let object = SourceResponse(
        status: 200, headers: SourceHeaders([("Content-Type", "application/json")]),
        body: Array(#"{"a": "a document that is longer than a moment"}"#.utf8))
}
