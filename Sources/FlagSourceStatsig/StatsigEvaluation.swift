import FlagModel

/// The format of a response: the usual one, or `init-v2`, which has short member names and lists the values of configs
/// separately (`EvaluationTypesV2.ts` and `V2InitializeContainer.ts` of js-client-monorepo).
struct StatsigFormat {
    /// The values of configs by their keys; `nil` in the usual format.
    let values: [FlagText: JSONValue]?

    init(_ root: JSONValue) {
        guard root["response_format"]?.text?.string == "init-v2" else {
            values = nil
            return
        }
        let members = root["values"].map { Array($0.members) } ?? []
        values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

/// The evaluation of a gate, config, experiment or layer for the user.
struct StatsigEvaluation {
    private let entry: JSONValue
    private let format: StatsigFormat

    init(_ entry: JSONValue, _ format: StatsigFormat) { (self.entry, self.format) = (entry, format) }

    private var isShort: Bool { format.values != nil }

    /// The member with the name in the usual format, or the one in the short format.
    private func member(_ name: String, _ shortName: String) -> JSONValue? { entry[isShort ? shortName : name] }

    /// A text that is not empty.
    private func text(_ name: String, _ shortName: String) -> String? {
        member(name, shortName)?.text.flatMap { $0.isEmpty ? nil : $0.string }
    }

    /// The value of a gate. In the short format, a gate without a value is off.
    var bool: Bool? {
        guard isShort else { return entry["value"]?.bool }
        return entry.kind == .object ? entry["v"]?.bool ?? false : nil
    }

    /// The value of a config, an experiment or a layer.
    var object: JSONValue? {
        var value = entry["value"]
        if let values = format.values { value = entry["v"]?.text.flatMap { values[$0] } }
        return value?.kind == .object ? value : nil
    }

    /// Whether a config is an experiment: only those say whether they are active (`evaluation_types.rs` of
    /// statsig-server-core).
    var isExperiment: Bool {
        member("is_experiment_active", "ea") != nil || member("is_user_in_experiment", "ue") != nil
    }

    /// The ID type that decides, such as `userID` or `stableID`.
    var details: FlagText? { text("id_type", "i").map { FlagText("evaluated by \($0)") } }

    /// Why the flag has its value, such as `group Control, rule 2Ai2OVWKSewJZ3uuSUrc4P`.
    var note: FlagText? {
        let isActive = member("is_experiment_active", "ea")?.bool
        let isInside = member("is_user_in_experiment", "ue")?.bool
        let state: String? =
            isActive == false ? "not active" : isInside == false ? "user not in the experiment" : nil
        let words = [
            text("group_name", "gn").map { "group \($0)" }, text("rule_id", "r").map { "rule \($0)" }, state,
        ]
        let note = words.compactMap { $0 }.joined(separator: ", ")
        return note.isEmpty ? nil : FlagText(note)
    }
}
