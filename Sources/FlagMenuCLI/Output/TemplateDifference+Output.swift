import FlagFormats
import FlagModel
import FlagQueries
import FlagSourceFirebase

// The changes of a template as text and as JSON.
extension TemplateDifference {
    /// The difference as a line of text.
    var sentence: String {
        let change = "\(old.summary) -> \(new.summary)"
        return switch kind {
        case .value: "\(key?.string ?? ""): \(change) (\(place))"
        case .parameter: "\(key?.string ?? ""): its description, group, type or spelling"
        case .condition: "\(place): \(change)"
        case .order: "order of the conditions: \(change)"
        case .other: "\(key?.string ?? ""): other parts of it"
        }
    }

    /// The replaced rollout, experiment or personalization, as in `menu, a rollout (default value)`; `nil` if the
    /// difference replaces none.
    var loss: String? {
        old.isEvaluatedByFirebase ? "\(key?.string ?? ""), \(old.summary) (\(place))" : nil
    }

    var json: JSONOutput {
        .object([
            ("kind", .string(kind.rawValue)), ("key", FlagJSON.text(key?.string)),
            ("condition", FlagJSON.text(condition?.string)), ("old", FlagJSON.text(old.text?.string)),
            ("oldForm", FlagJSON.text(old.form)), ("new", FlagJSON.text(new.text?.string)),
            ("newForm", FlagJSON.text(new.form)),
        ])
    }

    private var place: String { condition.map { "condition \($0.string)" } ?? "default value" }
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
