#if Server
import FlagModel

/// The evaluation of one flag as OFREP sends it.
///
/// The variant is the layer of the value, in every response: `override`, `remote` and so on. The protocol's OpenAPI
/// document lists neither `DEFAULT` nor `CACHED` among the reasons, but clients know both from OpenFeature.
enum OFREPEvaluation {
    /// A successful evaluation. A flag without a valid value has no `value`, so that the client uses the code's default.
    ///
    /// - Parameters:
    ///   - source: the source of the flag's remote value.
    ///   - dependsOnClient: whether some client has another value, so that the value depends on the context.
    static func json(_ facts: FlagFacts, source: ServedSource?, dependsOnClient: Bool) -> JSONOutput {
        let layer = facts.explanation.winner
        let origin = EvaluationOrigin(
            layer, type: facts.type,
            override: layer == .override ? facts.override : layer == .team ? facts.team : nil, source: source?.name)
        let reason =
            layer == .remote ? remoteReason(facts, source, dependsOnClient: dependsOnClient) : origin.reason.rawValue
        let value = value(of: facts)
        return .object(
            [("key", .string(facts.key))] + (value.map { [("value", $0)] } ?? []) + [
                ("reason", .string(reason)), ("variant", .string(origin.variant)),
                ("metadata", .object(origin.metadata.map { ($0, .string($1)) })),
            ])
    }

    /// Why a flag has its remote value. `STATIC` only if the value is the same in every context, as clients may keep it.
    private static func remoteReason(
        _ facts: FlagFacts, _ source: ServedSource?, dependsOnClient: Bool
    ) -> String {
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
        return dependsOnClient ? "DEFAULT" : "STATIC"
    }

    /// The effective value with its JSON type; `nil` if there is none.
    private static func value(of facts: FlagFacts) -> JSONOutput? {
        guard let text = facts.value else { return nil }
        switch type(of: facts, text) {
        case .bool: return FlagReading.bool(text).map(JSONOutput.bool)
        case .int: return FlagReading.int(text).map(JSONOutput.integer)
        // With a fraction, `7.0`: clients reject `7` for a flag of type double.
        case .double: return FlagReading.double(text).map { .raw("\($0)") }
        case .string: return .string(text)
        case .json: return json(text)
        }
    }

    /// The flag's type. A key that no document describes has the type that its text implies, as `set KEY true --new`
    /// means a bool.
    private static func type(of facts: FlagFacts, _ text: String) -> FlagType {
        facts.item == nil ? FlagType.inferred(from: [], value: text) : facts.type
    }

    /// A value of type json. The protocol has no lists: a list is sent as its text.
    private static func json(_ text: String) -> JSONOutput? {
        guard let root = try? JSONDocument(parsing: Array(text.utf8)).root else { return nil }
        switch root.kind {
        case .null: return nil
        case .array: return .string(root.compactJSON)
        case .bool, .number, .string, .object: return .raw(root.compactJSON)
        }
    }
}
#endif
