import FlagFormats
import FlagModel
import FlagQueries
import FlagSourceFirebase

// The changes of a template as text and as JSON.
extension TemplateDifference {
    /// The difference as a line of text.
    var sentence: String {
        switch self {
        case .value(let key, let condition, let old, let new):
            "\(key.string): \(old.summary) -> \(new.summary) (\(Self.place(condition)))"
        case .parameter(let key): "\(key.string): its description, group, type or spelling"
        case .condition(let name, let old, let new):
            "condition \(name.string): \(old?.summary ?? "not there") -> \(new?.summary ?? "not there")"
        case .order(let old, let new):
            "order of the conditions: \(Self.list(old)) -> \(Self.list(new))"
        case .other(let part): "\(part.string): other parts of it"
        }
    }

    /// The replaced rollout, experiment or personalization, as in `menu, a rollout (default value)`; `nil` if the
    /// difference replaces none.
    var loss: String? {
        guard case .value(let key, let condition, let old, _) = self, old.isEvaluatedByFirebase else { return nil }
        return "\(key.string), \(old.summary) (\(Self.place(condition)))"
    }

    var json: JSONOutput {
        switch self {
        case .value(let key, let condition, let old, let new):
            Self.object(
                "value", key: key, condition: condition, old: FlagJSON.text(old.text?.string),
                new: FlagJSON.text(new.text?.string), forms: (old.form, new.form))
        case .parameter(let key): Self.object("parameter", key: key)
        case .condition(let name, let old, let new):
            Self.object(
                "condition", condition: name, old: FlagJSON.text(old?.summary),
                new: FlagJSON.text(new?.summary))
        case .order(let old, let new):
            Self.object(
                "order", old: .array(old.map { .string($0.string) }), new: .array(new.map { .string($0.string) }))
        case .other(let part): Self.object("other", key: part)
        }
    }

    /// A JSON object that has the same members for all kinds of differences.
    private static func object(
        _ kind: String, key: FlagText? = nil, condition: FlagText? = nil, old: JSONOutput = .null,
        new: JSONOutput = .null, forms: (old: String?, new: String?) = (nil, nil)
    ) -> JSONOutput {
        .object([
            ("kind", .string(kind)), ("key", FlagJSON.text(key?.string)),
            ("condition", FlagJSON.text(condition?.string)), ("old", old), ("oldForm", FlagJSON.text(forms.old)),
            ("new", new), ("newForm", FlagJSON.text(forms.new)),
        ])
    }

    private static func place(_ condition: FlagText?) -> String {
        condition.map { "condition \($0.string)" } ?? "default value"
    }

    private static func list(_ names: [FlagText]) -> String { names.map(\.string).joined(separator: ", ") }
}

extension ParameterValue {
    /// The value in a few words: its text, or its form.
    var summary: String {
        switch self {
        case .text(let text): return EffectiveChange.shown(text.string)
        case .absent: return EffectiveChange.shown(nil)
        case .inAppDefault: return "the app's own default"
        case .rollout(_, let text, let percent):
            let value = text.map { " of \(EffectiveChange.shown($0.string))" } ?? ""
            return "a rollout\(value)" + (percent.map { " to \($0.string) %" } ?? "")
        case .personalization: return "a personalization"
        case .experiment: return "an experiment"
        case .unknown: return "an unknown form"
        }
    }
}
