#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore

// The endpoints of the OpenFeature Remote Evaluation Protocol, version 1.
extension ServedFlags {
    func evaluate(_ call: Call) async throws -> Response {
        let (client, evaluations) = try await evaluations(for: call)
        let facts = evaluations.board.knownFacts(of: call.key)
        log.record(client, key: call.key, value: facts?.value, layer: facts?.explanation.winner)
        return Response(json: try evaluations.evaluation(facts, of: call.key))
    }

    /// Evaluates all flags; responds 304 if the client has the newest evaluation, by its tag in `If-None-Match`.
    func evaluateAll(_ call: Call) async throws -> Response {
        let (client, evaluations) = try await evaluations(for: call)
        try evaluations.requireSources()
        let all = try await evaluations.all()
        log.record(client, key: nil, value: nil, layer: nil)
        // One of several tags, perhaps after `W/`: a proxy that compresses responses makes tags weak.
        let isKnown = call.request.headers[.ifNoneMatch]?.contains(all.tag) == true
        var response = isKnown ? Response(status: .notModified) : Response(json: all.body)
        response.headers[.eTag] = all.tag
        return response
    }

    /// The client, which is that of the query or else the context's targeting key, and its evaluations.
    private func evaluations(for call: Call) async throws(APIError) -> (String?, FlagEvaluations) {
        let context = try OFREPContext(body: call.body)
        let client = call.client ?? context.targetingKey
        return (client, try await evaluations(for: client, in: context))
    }
}

/// The evaluation context of a request in the OpenFeature Remote Evaluation Protocol (OFREP).
struct OFREPContext: Sendable, Hashable {
    /// Identifies the user or device; `nil` if the context has none.
    let targetingKey: String?
    /// The edits that put the other members on top of a source's own context, sorted, so that equal contexts are equal.
    let edits: [ContextEdit]

    var isEmpty: Bool { targetingKey == nil && edits.isEmpty }

    /// The context in the body of a request, such as `{"context": {"targetingKey": "ana"}}`.
    ///
    /// The protocol requires a `targetingKey`, but clients without a context send `{"context": {}}`, which is accepted.
    ///
    /// - Throws: why the body is not valid.
    init(body: [UInt8]) throws(APIError) {
        let root = try APIError.parsing(body, orThrow: .parseError)
        guard let context = root["context"], context.kind == .object else {
            throw APIError(.invalidContext, "The request body needs an object \"context\", such as {\"context\": {}}.")
        }
        let key = context["targetingKey"]
        guard key == nil || key?.kind == .string else {
            throw APIError(.invalidContext, "The \"targetingKey\" of the context must be a string.")
        }
        targetingKey = key?.text?.string
        edits = context.members.filter { $0.key.string != "targetingKey" }.sorted { $0.key < $1.key }
            .map { .set(name: $0.key.string, value: $0.value.compactJSON) }
    }
}

extension FlagEvaluations {
    /// The evaluation of one flag as OFREP sends it. A flag without a valid value has no `value`, so that the client uses
    /// the code's default.
    ///
    /// The variant is the layer of the value, in every response: `override`, `remote` and so on. The protocol's OpenAPI
    /// document lists neither `DEFAULT` nor `CACHED` among the reasons, but clients know both from OpenFeature.
    func json(_ facts: FlagFacts) -> JSONOutput {
        let (layer, source) = (facts.explanation.winner, source(of: facts))
        let origin = EvaluationOrigin(
            layer, type: facts.type, override: facts.override(in: layer), source: source?.name)
        let reason = layer == .remote ? remoteReason(facts, source) : origin.reason.rawValue
        return .object(present: [
            ("key", .string(facts.key)), ("value", Self.value(of: facts)), ("reason", .string(reason)),
            ("variant", .string(origin.variant)), ("metadata", .object(origin.metadata.map { ($0, .string($1)) })),
        ])
    }

    /// Why a flag has its remote value. `STATIC` only if the value is the same in every context, and for every client, as
    /// clients may keep it.
    private func remoteReason(_ facts: FlagFacts, _ source: ServedSource?) -> String {
        if source?.error != nil { return "CACHED" }
        if let deciding = facts.remoteConditions.first(where: { $0.part == .decides }) {
            return deciding.condition.rule.contains("percent") ? "SPLIT" : "TARGETING_MATCH"
        }
        if !facts.remoteConditions.isEmpty { return "DEFAULT" }
        if source?.dependsOnContext == true {
            // Some services name the reason, in the words of OpenFeature.
            let named = facts.remoteNote?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
            return ["SPLIT", "DEFAULT"].first { named.contains($0[...]) } ?? "TARGETING_MATCH"
        }
        return clientKeys?.contains(FlagText(facts.key)) == false ? "STATIC" : "DEFAULT"
    }

    /// The effective value with its JSON type; `nil` if there is none.
    private static func value(of facts: FlagFacts) -> JSONOutput? {
        guard let text = facts.value else { return nil }
        // A key that no document describes has the type that its text implies, as `set KEY true --new` means a bool.
        switch facts.item == nil ? FlagType.inferred(from: [], value: text) : facts.type {
        case .bool: return FlagReading.bool(text).map(JSONOutput.bool)
        case .int: return FlagReading.int(text).map(JSONOutput.integer)
        // With a fraction, `7.0`: clients reject `7` for a flag of type double.
        case .double: return FlagReading.double(text).map { .raw("\($0)") }
        case .string: return .string(text)
        case .json:
            guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.kind != .null else { return nil }
            // The protocol has no lists: a list is sent as its text.
            return root.kind == .array ? .string(root.compactJSON) : .raw(root.compactJSON)
        }
    }
}
#endif
