import FlagModel

/// The evaluation of a gate, config, experiment or layer for the user (`EvaluationTypes.ts` of js-client-monorepo).
struct StatsigEvaluation {
    private let entry: JSONValue

    init(_ entry: JSONValue) { self.entry = entry }

    /// A text that is not empty.
    private func text(_ name: String) -> String? { entry[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }

    /// The value of a gate.
    var bool: Bool? { entry["value"]?.bool }

    /// The value of a config, an experiment or a layer.
    var object: JSONValue? { entry["value"].flatMap { $0.kind == .object ? $0 : nil } }

    /// Whether a config is an experiment. Only experiments have these members (`evaluation_types.rs` of
    /// statsig-server-core).
    var isExperiment: Bool { entry["is_experiment_active"] != nil || entry["is_user_in_experiment"] != nil }

    /// Why the flag has its value, such as `group Control, rule 2Ai2OVWKSewJZ3uuSUrc4P`.
    var note: FlagText? {
        let isActive = entry["is_experiment_active"]?.bool
        let isInside = entry["is_user_in_experiment"]?.bool
        let state: String? =
            isActive == false ? "not active" : isInside == false ? "user not in the experiment" : nil
        let words = [
            text("group_name").map { "group \($0)" }, text("rule_id").map { "rule \($0)" },
            // The type of the ID that Statsig has evaluated, such as `userID` or `stableID`.
            text("id_type").map { "by \($0)" }, state,
        ]
        let note = words.compactMap { $0 }.joined(separator: ", ")
        return note.isEmpty ? nil : FlagText(note)
    }
}
