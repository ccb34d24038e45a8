#if Server
import FlagModel

/// The evaluation of one flag as OFREP sends it.
///
/// The variant is the layer of the value, in every response: `override`, `remote` and so on. The reason is `DEFAULT` only
/// for the default value of a flag with conditions: the protocol's OpenAPI document has no `DEFAULT`, but clients know it
/// from OpenFeature.
enum OFREPEvaluation {
    /// A successful evaluation. A flag without a valid value has no `value`, so that the client uses the code's default.
    ///
    /// - Parameters:
    ///   - source: the name of the source of the flag's remote value.
    ///   - conditions: the conditions that decide the flag's remote value; empty if it is the same in every context.
    static func json(_ facts: FlagFacts, source: String?, conditions: [ConditionStep]) -> JSONOutput {
        let layer = facts.explanation.winner
        let origin = EvaluationOrigin(
            layer, type: facts.type,
            override: layer == .override ? facts.override : layer == .team ? facts.team : nil, source: source)
        var reason = origin.reason == .default ? EvaluationReason.static : origin.reason
        // Clients may keep the value of `STATIC` for every context.
        if layer == .remote, !conditions.isEmpty {
            reason = conditions.contains { $0.part == .decides } ? .targetingMatch : .default
        }
        let value = value(of: facts)
        return .object(
            [("key", .string(facts.key))] + (value.map { [("value", $0)] } ?? []) + [
                ("reason", .string(reason.rawValue)), ("variant", .string(origin.variant)),
                ("metadata", .object(origin.metadata.map { ($0, .string($1)) })),
            ])
    }

    /// The body of the response about an unknown flag.
    static func notFound(_ key: String, _ sentence: String) -> JSONOutput {
        .object([
            ("key", .string(key)), ("errorCode", .string(EvaluationErrorCode.flagNotFound.rawValue)),
            ("errorDetails", .string(sentence)),
        ])
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
