#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A server with OFREP 0.3.0 on 127.0.0.1: bulk and single evaluation, versions, credentials, and the event stream of
/// ADR-0008. Each flag has the result that a test sets, and optionally another result for an audience.
public final class LoopbackOFREP: Sendable {
    /// The evaluation result of one flag.
    public struct Flag: Sendable {
        let key: String
        var value: String?
        var reason: String
        var variant: String?
        let metadata: String?
        let failure: (code: String, details: String)?
        let targeted: (audience: LoopbackAudience, value: String, variant: String)?

        /// Creates a flag.
        ///
        /// - Parameters:
        ///   - value: the value as JSON; `nil` if it is left to the app.
        ///   - metadata: a JSON object.
        ///   - failure: the evaluation error; if it is set, no other member is sent.
        ///   - targeted: the value as JSON, and its variant, for an audience, which a member of the context defines.
        public init(
            _ key: String, _ value: String?, reason: String = "STATIC", variant: String? = "on",
            metadata: String? = nil, failure: (code: String, details: String)? = nil,
            targeted: (audience: LoopbackAudience, value: String, variant: String)? = nil
        ) {
            (self.key, self.value, self.reason, self.variant) = (key, value, reason, variant)
            (self.metadata, self.failure, self.targeted) = (metadata, failure, targeted)
        }

        /// The result for the context of a request.
        fileprivate func evaluated(for request: LoopbackRequest) -> Flag {
            guard let targeted, targeted.audience.includes(request.json?["context"]) else { return self }
            var result = self
            (result.value, result.variant) = (targeted.value, targeted.variant)
            result.reason = "TARGETING_MATCH"
            return result
        }
    }

    private struct State {
        var flags: [Flag]
        /// The offered event channels, each with its own stream.
        var channels: [String]
        var lastEvent = 0
        var lastModified = 1_771_622_898
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let state: Mutex<State>
    private let (token, apiKey): (String?, String?)

    /// The name of the default event stream.
    public static let stream = stream(of: "all")

    /// The name of a channel's event stream.
    public static func stream(of channel: String) -> String { "ofrep-events-\(channel)" }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - token: the bearer token that requests must send; `nil` if none is required.
    ///   - apiKey: the key that requests need in `X-API-Key`; `nil` for none.
    ///   - offersEvents: whether responses contain an event stream.
    public init(
        _ flags: [Flag], token: String? = nil, apiKey: String? = nil, offersEvents: Bool = true
    ) async throws {
        state = Mutex(State(flags: flags, channels: offersEvents ? ["all"] : []))
        (self.token, self.apiKey) = (token, apiKey)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings.
    public var url: String { server.url }

    /// Changes the event channels that responses contain. The version of the flags and open connections do not change.
    public func offerEvents(_ channels: [String]) { state.withLock { $0.channels = channels } }

    /// Replaces all flags without an event.
    public func replace(_ flags: [Flag]) { state.withLock { $0.flags = flags } }

    /// Replaces all flags and sends an event.
    public func set(_ flags: [Flag]) async {
        replace(flags)
        let (event, moment, channels) = state.withLock { state in
            state.lastEvent += 1
            state.lastModified += 1
            return (state.lastEvent, state.lastModified, state.channels)
        }
        let data: JSONOutput = ["type": "refetchEvaluation", "etag": .string(etag), "lastModified": .integer(moment)]
        let updates = ServerSentEvent(data: data.line, id: "evt-\(event)")
        for channel in channels { await server.push(updates, to: Self.stream(of: channel)) }
    }

    /// The version of the flags for users outside of all audiences.
    public var etag: String { Self.list(state.withLock { $0.flags }).etag }
}

// The responses to requests, as the service sends them.
extension LoopbackOFREP {
    /// Returns the response to a request. Another loopback server may have received the request and passed it on.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let token, request.headers["Authorization"] != "Bearer \(token)" { return .status(401) }
        if let apiKey, request.headers["X-API-Key"] != apiKey { return .status(401) }
        let bulk = "/ofrep/v1/evaluate/flags"
        switch (request.method, request.path) {
        case ("GET", "/ofrep/v1/events"):
            guard let channel = request.query("channel"), state.withLock({ $0.channels.contains(channel) }) else {
                return .status(404)
            }
            return .stream(name: Self.stream(of: channel), contentType: "text/event-stream")
        case ("POST", bulk): return rejection(to: request, key: nil) ?? all(request)
        case ("POST", let path) where path.hasPrefix("\(bulk)/"):
            let key = PercentEncoding.decoded(String(path.dropFirst(bulk.count + 1)))
            return rejection(to: request, key: key) ?? one(key, request)
        case (_, bulk): return .status(405)
        default: return .status(404)
        }
    }

    /// The error response to a malformed request; `nil` if the request is valid.
    private func rejection(to request: LoopbackRequest, key: String?) -> LoopbackReply? {
        let context = request.json?["context"]
        let (code, details): (String, String)
        if request.json?.kind != .object {
            (code, details) = ("PARSE_ERROR", "The body is no JSON object.")
        } else if context?.kind != .object {
            (code, details) = ("INVALID_CONTEXT", "There is no object \"context\".")
        } else if key == nil, context?["targetingKey"]?.text == nil {
            // Clients that evaluate a single flag omit the targeting key if the app sets none.
            (code, details) = ("TARGETING_KEY_MISSING", "Context is missing required targetingKey property")
        } else {
            return nil
        }
        return .document(Self.failure(code, details, of: key), status: 400)
    }

    private func all(_ request: LoopbackRequest) -> LoopbackReply {
        let (flags, channels) = state.withLock { ($0.flags, $0.channels) }
        let list = Self.list(flags.map { $0.evaluated(for: request) })
        let response: JSONOutput = [
            "flags": list, "metadata": ["version": "v12"],
            "eventStreams": channels.isEmpty ? nil : .array(channels.map(Self.streamEntry)),
        ]
        return .tagged(response, for: request, etag: list.etag)
    }

    private func one(_ key: String, _ request: LoopbackRequest) -> LoopbackReply {
        guard let flag = state.withLock({ $0.flags.first { $0.key == key } })?.evaluated(for: request) else {
            return .document(Self.failure("FLAG_NOT_FOUND", "Flag '\(key)' was not found", of: key), status: 404)
        }
        return .document(Self.entry(flag), status: flag.failure == nil ? 200 : 400)
    }

    private static func streamEntry(_ channel: String) -> JSONOutput {
        let path = "/ofrep/v1/events?channel=\(PercentEncoding.encoded(channel))&token=streamsecret"
        return ["type": "sse", "endpoint": ["requestUri": .string(path)]]
    }

    private static func list(_ flags: [Flag]) -> JSONOutput { .array(flags.map(entry)) }

    private static func failure(_ code: String, _ details: String, of key: String?) -> JSONOutput {
        ["key": key.map { .string($0) }, "errorCode": .string(code), "errorDetails": .string(details)]
    }

    private static func entry(_ flag: Flag) -> JSONOutput {
        if let (code, details) = flag.failure { return failure(code, details, of: flag.key) }
        return [
            "key": .string(flag.key), "value": flag.value.map { .raw($0) }, "reason": .string(flag.reason),
            "variant": flag.variant.map { .string($0) }, "metadata": flag.metadata.map { .raw($0) },
        ]
    }
}
#endif
