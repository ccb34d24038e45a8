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
        if request.path == "/event-stream" || request.path == "/sse" { return stream(request) }
        guard request.path.hasPrefix("/api/") else { return nil }
        guard request.headers["Authorization"] == "Bearer \(sdkKey)" else { return .status(401) }
        let path = request.path.dropFirst("/api".count)
        switch (request.method, String(path)) {
        case ("GET", "/splitChanges"): return changes(request)
        case ("GET", "/v2/auth"): return .json(permission)
        case ("GET", let path) where path.hasPrefix("/segmentChanges/"):
            let name = PercentEncoding.decoded(String(path.dropFirst("/segmentChanges/".count)))
            return .json(
                JSONOutput.object([
                    ("name", .string(name)), ("added", .array([])), ("removed", .array([])), ("since", .integer(-1)),
                    ("till", .integer(-1)),
                ]).text(indented: false))
        case ("GET", let path) where path.hasPrefix("/memberships/"):
            return .json(#"{"ms":{"cn":1,"k":[]},"ls":{"cn":1,"k":[]}}"#)
        case ("POST", _): return .json("{}")
        default: return .status(404)
        }
    }

    /// All flags, or none if the change number in the request is the newest. The SDK repeats the request until the two
    /// change numbers in the response, `s` and `t`, are equal.
    private func changes(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.query("s") != nil else { return .status(400) }
        let since = request.query("since").flatMap(Int.init) ?? -1
        let (flags, archived, number) = state.withLock { ($0.flags, $0.archived, $0.changeNumber) }
        let all = flags.map { Self.rule($0, number) } + archived.map { Self.rule($0, number, isArchived: true) }
        let rules = since < number ? all : []
        let text = JSONOutput.object([
            ("ff", .object([("s", .integer(since)), ("t", .integer(number)), ("d", .array(rules))])),
            ("rbs", .object([("s", .integer(-1)), ("t", .integer(-1)), ("d", .array([]))])),
        ])
        return .json(text.text(indented: false))
    }

    /// A flag with a rule for its audience, then a rule for all users.
    static func rule(_ flag: Flag, _ changeNumber: Int, isArchived: Bool = false) -> JSONOutput {
        let targeted = flag.targeted.map { condition(flag.trafficType, $0.audience, $0.treatment) }
        let conditions = [targeted, condition(flag.trafficType, nil, flag.treatment)].compactMap { $0 }
        return .object([
            ("name", .string(flag.name)), ("trafficTypeName", .string(flag.trafficType)),
            ("trafficAllocation", .integer(100)), ("trafficAllocationSeed", .integer(1)), ("seed", .integer(2)),
            ("status", .string(isArchived ? "ARCHIVED" : "ACTIVE")), ("killed", .bool(false)),
            ("defaultTreatment", .string("off")),
            ("changeNumber", .integer(changeNumber)), ("algo", .integer(2)),
            ("configurations", flag.configurations),
            ("sets", .array(flag.sets.map { .string($0) })), ("impressionsDisabled", .bool(false)),
            ("prerequisites", .array([])), ("conditions", .array(conditions)),
        ])
    }

    /// - Parameter audience: `nil` for all users.
    private static func condition(
        _ trafficType: String, _ audience: LoopbackAudience?, _ treatment: String
    ) -> JSONOutput {
        let attribute = audience.map { JSONOutput.string($0.fact) } ?? .null
        let whitelist = audience.map { JSONOutput.object([("whitelist", $0.list)]) } ?? .null
        let matcher = JSONOutput.object([
            ("keySelector", .object([("trafficType", .string(trafficType)), ("attribute", attribute)])),
            ("matcherType", .string(audience == nil ? "ALL_KEYS" : "WHITELIST")), ("negate", .bool(false)),
            ("userDefinedSegmentMatcherData", .null), ("whitelistMatcherData", whitelist),
            ("unaryNumericMatcherData", .null), ("betweenMatcherData", .null),
        ])
        return .object([
            ("conditionType", .string("ROLLOUT")), ("label", .string("default rule")),
            ("matcherGroup", .object([("combiner", .string("AND")), ("matchers", .array([matcher]))])),
            ("partitions", .array([.object([("treatment", .string(treatment)), ("size", .integer(100))])])),
        ])
    }

    /// The token for the stream. SDKs read only its payload and do not verify the signature.
    private var permission: String {
        let channels = JSONOutput.object([
            (Self.flagsChannel, .array([.string("subscribe")])),
            (Self.controlChannel, .array([.string("subscribe"), .string("channel-metadata:publishers")])),
        ])
        let now = Int(SourceClock.system.now().seconds)
        let payload = JSONOutput.object([
            ("x-ably-capability", .string(channels.text(indented: false))), ("exp", .integer(now + 3_600)),
            ("iat", .integer(now)),
        ])
        let parts = [#"{"alg":"HS256","typ":"JWT"}"#, payload.text(indented: false), "unsigned"].map { part in
            Base64Text.urlText(part.utf8, padded: false)
        }
        return JSONOutput.object([
            ("pushEnabled", .bool(true)), ("token", .string(parts.joined(separator: "."))), ("connDelay", .integer(0)),
        ]).text(indented: false)
    }

    private func stream(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.query("accessToken") != nil, request.query("channels") != nil else { return .status(401) }
        // An SDK counts as connected after the first event, which contains the service's number of publishers.
        let occupancy = Self.event(
            [("metrics", .object([("publishers", .integer(2))]))],
            channel: "[?occupancy=metrics.publishers]\(Self.controlChannel)", name: "[meta]occupancy")
        return .stream(name: Self.stream, contentType: "text/event-stream", first: occupancy)
    }

    /// A message of the stream: JSON inside a JSON string.
    static func event(_ message: [(String, JSONOutput)], channel: String, name: String? = nil) -> [UInt8] {
        let outer: [(String, JSONOutput)] = [
            ("id", .string("x:0:0")), ("clientId", .string("pri:1")), ("timestamp", .integer(1_700_000_000_000)),
            ("encoding", .string("json")), ("channel", .string(channel)),
            ("data", .string(JSONOutput.object(message).text(indented: false))),
        ]
        let named = name.map { [("name", JSONOutput.string($0))] } ?? []
        let event = ServerSentEvent(data: JSONOutput.object(outer + named).text(indented: false), id: "x:0:0")
        // The Python SDK ignores events without a name, although the standard allows them.
        return Array("event: message\n".utf8) + event.wireBytes
    }
}
#endif
