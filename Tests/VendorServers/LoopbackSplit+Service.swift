#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Synchronization

// The service for Split's SDKs, below /api and at /event-stream.
extension LoopbackSplit {
    static let flagsChannel = "MTI_MTQ_flags"
    private static let controlChannel = "control_pri"

    /// The service's response; `nil` for requests to the evaluator.
    func serviceReply(to request: LoopbackRequest) -> LoopbackReply? {
        if request.path == "/event-stream" { return stream(request) }
        guard request.path.hasPrefix("/api/") else { return nil }
        guard request.headers["Authorization"] == "Bearer \(sdkKey)" else { return .status(401) }
        switch (request.method, request.path) {
        case ("GET", "/api/splitChanges"): return .document(changes(since: request.query("since").flatMap(Int.init)))
        case ("GET", "/api/v2/auth"): return .document(permission)
        case ("POST", _): return .document([:])
        default: return .status(404)
        }
    }

    /// All flags, or none if the change number in the request is the newest. The SDK repeats the request until the two
    /// change numbers in the response, `s` and `t`, are equal.
    private func changes(since: Int?) -> JSONOutput {
        let (flags, archived, number) = state.withLock { ($0.flags, $0.archived, $0.changeNumber) }
        let since = since ?? -1
        let all = flags.map { Self.rule($0, number) } + archived.map { Self.rule($0, number, isArchived: true) }
        let rules = since < number ? all : []
        return [
            "ff": ["s": .integer(since), "t": .integer(number), "d": .array(rules)],
            "rbs": ["s": -1, "t": -1, "d": []],
        ]
    }

    /// A flag with a rule for its audience, then a rule for all users.
    static func rule(_ flag: Flag, _ changeNumber: Int, isArchived: Bool = false) -> JSONOutput {
        let targeted = flag.targeted.map { condition(flag.trafficType, $0.audience, $0.treatment) }
        return [
            "name": .string(flag.name), "trafficTypeName": .string(flag.trafficType), "trafficAllocation": 100,
            "trafficAllocationSeed": 1, "seed": 2, "status": .string(isArchived ? "ARCHIVED" : "ACTIVE"),
            "killed": false, "defaultTreatment": "off", "changeNumber": .integer(changeNumber), "algo": 2,
            "configurations": flag.configurations, "sets": .texts(flag.sets), "impressionsDisabled": false,
            "prerequisites": [], "conditions": [targeted, condition(flag.trafficType, nil, flag.treatment)],
        ]
    }

    /// - Parameter audience: `nil` for all users.
    private static func condition(
        _ trafficType: String, _ audience: LoopbackAudience?, _ treatment: String
    ) -> JSONOutput {
        let matcher: JSONOutput = [
            "keySelector": ["trafficType": .string(trafficType), "attribute": .text(audience?.fact)],
            "matcherType": .string(audience == nil ? "ALL_KEYS" : "WHITELIST"), "negate": false,
            "userDefinedSegmentMatcherData": .null,
            "whitelistMatcherData": audience.map { ["whitelist": $0.list] } ?? .null,
            "unaryNumericMatcherData": .null, "betweenMatcherData": .null,
        ]
        return [
            "conditionType": "ROLLOUT", "label": "default rule",
            "matcherGroup": ["combiner": "AND", "matchers": [matcher]],
            "partitions": [["treatment": .string(treatment), "size": 100]],
        ]
    }

    /// The token for the stream. SDKs read only its payload and do not verify the signature.
    private var permission: JSONOutput {
        let channels: JSONOutput = [
            Self.flagsChannel: ["subscribe"], Self.controlChannel: ["subscribe", "channel-metadata:publishers"],
        ]
        let now = Int(SourceClock.system.now().seconds)
        let payload: JSONOutput = [
            "x-ably-capability": .string(channels.line), "exp": .integer(now + 3_600), "iat": .integer(now),
        ]
        let parts = [#"{"alg":"HS256","typ":"JWT"}"#, payload.line, "unsigned"].map { part in
            Base64Text.urlText(part.utf8, padded: false)
        }
        return ["pushEnabled": true, "token": .string(parts.joined(separator: ".")), "connDelay": 0]
    }

    private func stream(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.query("accessToken") != nil, request.query("channels") != nil else { return .status(401) }
        // An SDK counts as connected after the first event, which contains the service's number of publishers.
        let occupancy = Self.event(
            ["metrics": ["publishers": 2]], channel: "[?occupancy=metrics.publishers]\(Self.controlChannel)",
            name: "[meta]occupancy")
        return .events(Self.stream, first: occupancy)
    }

    /// A message of the stream: JSON inside a JSON string.
    static func event(_ message: JSONOutput, channel: String, name: String? = nil) -> ServerSentEvent {
        let outer: JSONOutput = [
            "id": "x:0:0", "clientId": "pri:1", "timestamp": 1_700_000_000_000, "encoding": "json",
            "channel": .string(channel), "data": .string(message.line), "name": name.map { .string($0) },
        ]
        return ServerSentEvent(data: outer.line, id: "x:0:0")
    }
}
#endif
