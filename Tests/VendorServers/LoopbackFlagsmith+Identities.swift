#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Synchronization

/// A trait of an identity.
struct FlagsmithTrait: Sendable {
    let key: String
    let value: JSONValue
    var isTransient = false
}

/// The state of a feature in a response.
struct FlagsmithFeatureState {
    let name: String
    let json: JSONOutput
}

// Identities, as the server (`api/environments/sdk/` and `api/environments/identities/` of Flagsmith/flagsmith) and the
// Edge Proxy (`src/edge_proxy/server.py` of Flagsmith/edge-proxy) treat them.
extension LoopbackFlagsmith {
    /// The identity that a request names.
    struct Identity {
        /// The identifier; random for an identity without a name.
        var identifier: String
        var traits: [FlagsmithTrait]
        /// Whether overrides for the identity are used.
        var hasOverrides = true
    }

    func identityByQuery(_ request: LoopbackRequest, _ isClient: Bool) -> LoopbackReply {
        guard let identifier = request.query("identifier"), !identifier.isEmpty else {
            return edition == .edgeProxy ? Self.invalid("query") : .json(#"{"detail":"Missing identifier"}"#)
        }
        guard edition == .server else { return response(Identity(identifier: identifier, traits: []), isClient) }
        let isTransient = request.query("transient")?.isEmpty == false
        // With GET, the server treats a transient identity as new, even if it is stored.
        let traits = isTransient ? [] : stored(identifier, adding: [])
        return response(Identity(identifier: identifier, traits: traits, hasOverrides: !isTransient), isClient)
    }

    func identityByBody(_ request: LoopbackRequest, _ isClient: Bool) -> LoopbackReply {
        guard let body = request.json, body.kind == .object else {
            return .json(#"{"detail":"JSON parse error - Expecting value: line 1 column 1 (char 0)"}"#, status: 400)
        }
        var traits: [FlagsmithTrait] = []
        for entry in body["traits"].map({ Array($0.elements) }) ?? [] {
            guard let key = entry["trait_key"]?.text?.string, let value = entry["trait_value"] else {
                return .json(#"{"traits":[{"trait_key":["This field is required."]}]}"#, status: 400)
            }
            if let text = value.text, text.string.count > 2_000 {
                return .json(
                    #"{"traits":[{"trait_value":["Value string is too long. Must be less than 2000 character"]}]}"#,
                    status: 400)
            }
            traits.append(FlagsmithTrait(key: key, value: value, isTransient: entry["transient"]?.bool == true))
        }
        let identifier = body["identifier"]?.text?.string ?? ""
        guard edition == .server else {
            return identifier.isEmpty
                ? Self.invalid("body") : response(Identity(identifier: identifier, traits: traits), isClient)
        }
        if isClient, !environment.withLock({ $0.allowsClientTraits }) { traits = [] }
        guard !identifier.isEmpty else {
            let name = StableHash.text(traits.map { "\($0.key)\($0.value.compactJSON)" }.joined())
            return response(Identity(identifier: name, traits: traits), isClient)
        }
        let isTransient = body["transient"]?.bool == true
        if isTransient { for index in traits.indices { traits[index].isTransient = true } }
        let all = isTransient ? merged(identifier, traits) : stored(identifier, adding: traits)
        return response(Identity(identifier: identifier, traits: all), isClient)
    }

    /// The stored traits of an identity, and the traits of a request, which take precedence.
    private func merged(_ identifier: String, _ traits: [FlagsmithTrait]) -> [FlagsmithTrait] {
        let known = environment.withLock { $0.identities[identifier] ?? [] }
        return known.filter { trait in !traits.contains { $0.key == trait.key } } + traits
    }

    /// Stores an identity and the traits that are not transient; returns all its traits.
    private func stored(_ identifier: String, adding traits: [FlagsmithTrait]) -> [FlagsmithTrait] {
        let persisted = merged(identifier, traits.filter { !$0.isTransient }).filter { $0.value.kind != .null }
        environment.withLock { $0.identities[identifier] = persisted }
        return merged(identifier, traits)
    }

    /// The Edge Proxy's response to a request without an identifier.
    private static func invalid(_ place: String) -> LoopbackReply {
        .json(
            #"{"detail":[{"type":"missing","loc":["\#(place)","identifier"],"msg":"Field required","input":null}]}"#,
            status: 422)
    }

    private func response(_ identity: Identity, _ isClient: Bool) -> LoopbackReply {
        let traits = identity.traits.map { trait in
            let members: [(String, JSONOutput)] = [
                ("trait_key", .string(trait.key)), ("trait_value", .raw(trait.value.compactJSON)),
            ]
            let more: [(String, JSONOutput)] = [("id", .null), ("transient", .bool(trait.isTransient))]
            return JSONOutput.object(edition == .server ? members + more : members)
        }
        return respond(
            .object([
                ("identifier", .string(identity.identifier)), ("traits", .array(traits)),
                ("flags", .array(evaluated(for: identity, isClient).map(\.json))),
            ]))
    }
}

// The evaluation, and the states in the formats of the server (`SDKFeatureStateSerializer` and
// `SDKIdentityFeatureStateSerializer` in `api/features/serializers.py` of Flagsmith/flagsmith) and of the Edge Proxy
// (`src/edge_proxy/mappers.py` of Flagsmith/edge-proxy).
extension LoopbackFlagsmith {
    /// The states of all features that a client may read.
    func evaluated(for identity: Identity?, _ isClient: Bool) -> [FlagsmithFeatureState] {
        let flags = environment.withLock { $0.flags }
        return flags.enumerated().filter { !isClient || !$0.element.isServerKeyOnly }.map { index, flag in
            FlagsmithFeatureState(
                name: flag.name, json: state(of: flag, feature(flag, id: index + 1), for: identity))
        }
    }

    private func feature(_ flag: Flag, id: Int) -> JSONOutput {
        let members: [(String, JSONOutput)] = [
            ("id", .integer(id)), ("name", .string(flag.name)),
            ("type", .string(flag.variant == nil ? "STANDARD" : "MULTIVARIATE")),
        ]
        let more: [(String, JSONOutput)] = [
            ("created_date", .string("2026-11-21T10:00:00.000000Z")),
            ("description", flag.description.map { .string($0) } ?? .null), ("initial_value", .null),
            ("default_enabled", .bool(false)),
        ]
        return .object(edition == .server ? members + more : members)
    }

    /// The state with the highest priority: for the identity, in a segment, in the environment.
    private func state(of flag: Flag, _ feature: JSONOutput, for identity: Identity?) -> JSONOutput {
        let identifier = identity.flatMap { $0.hasOverrides ? $0.identifier : nil }
        let own = flag.identityOverride.flatMap { $0.identifier == identifier ? $0.state : nil }
        let segment = flag.segment.flatMap { segment -> State? in
            let trait = identity?.traits.first { $0.key == segment.audience.fact }
            return segment.audience.includes(trait?.value.flagText?.string) ? segment.state : nil
        }
        let state = own ?? segment ?? flag.state
        // Only identities have variants.
        let variant = identity == nil ? nil : flag.variant
        let members: [(String, JSONOutput)] = [
            ("feature", feature), ("enabled", .bool(state.isEnabled)),
            ("feature_state_value", .raw(own == nil ? variant?.value ?? state.value : state.value)),
        ]
        guard edition == .server else { return .object(members) }
        let server: [(String, JSONOutput)] = [
            ("id", .integer(7)), ("environment", .integer(5)), ("identity", own == nil ? .null : .integer(3)),
            ("feature_segment", own == nil && segment != nil ? .integer(4) : .null),
        ]
        let variantKey: [(String, JSONOutput)] =
            identity == nil ? [] : [("variant", variant.map { .string($0.key) } ?? .null)]
        return .object(members + server + variantKey)
    }
}
#endif
