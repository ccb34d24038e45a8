#if Network
import FlagModel

/// The response to `POST /v1/initialize`. It has the members that the SDK for Python writes for apps
/// (`get_client_initialize_response` of statsig-python-core). It also has members that only the service writes
/// (`initialize.json` of js-client-monorepo).
struct StatsigInitialize {
    let user: JSONValue
    let hash: String
    let derivedFields: JSONOutput

    func json(_ state: LoopbackStatsig.State) -> JSONOutput {
        func configs(_ isIncluded: (LoopbackStatsig.Config) -> Bool) -> JSONOutput {
            .object(state.configs.filter(isIncluded).map { (hashed($0.name), config($0)) })
        }
        return [
            "feature_gates": .object(state.gates.map { (hashed($0.name), gate($0)) }),
            "dynamic_configs": configs { $0.kind != .layer }, "layer_configs": configs { $0.kind == .layer },
            "sdkParams": [:], "has_updates": true, "generator": "scrapi-nest", "time": .integer(state.time),
            "company_lcut": .integer(state.time), "evaluated_keys": ["userID": .text(user["userID"]?.text?.string)],
            "hash_used": .string(hash), "derived_fields": derivedFields, "param_stores": [:],
            "user": .raw(user.compactJSON),
        ]
    }

    private func gate(_ gate: LoopbackStatsig.Gate) -> JSONOutput {
        let isTargeted = gate.audience.map(includes)
        let isOn = gate.isOn && isTargeted ?? true
        let rule = !isOn ? "default" : isTargeted == nil ? "everyone" : "targeted"
        return evaluation(gate.name, rule).adding(["value": .bool(isOn)])
    }

    private func config(_ config: LoopbackStatsig.Config) -> JSONOutput {
        let isExperiment = config.kind == .experiment
        let isActive = !isExperiment || config.group != nil
        let targeted = isActive ? config.targeted.flatMap { includes($0.audience) ? $0 : nil } : nil
        let rest = isExperiment ? isActive ? "everyone" : "prestart" : "default"
        let rule = targeted == nil ? rest : "targeted"
        let group = isExperiment ? targeted.map { $0.group } ?? config.group : nil
        return evaluation(config.name, rule).adding([
            "value": .raw(targeted?.value ?? config.value), "is_device_based": false, "group": .string(rule),
            "passed": config.kind == .dynamicConfig ? .bool(targeted != nil) : nil,
            "explicit_parameters": config.kind == .dynamicConfig ? nil : [],
            "undelegated_secondary_exposures": config.kind == .layer ? [] : nil,
            "group_name": group.map { .string($0) }, "is_experiment_active": isExperiment ? .bool(isActive) : nil,
            "is_user_in_experiment": isExperiment ? .bool(isActive) : nil,
        ])
    }

    private func evaluation(_ name: String, _ rule: String) -> JSONOutput {
        ["name": .string(hashed(name)), "rule_id": .string(rule), "secondary_exposures": [], "id_type": "userID"]
    }

    /// Whether the audience includes the user. Conditions read the user's fields, then the custom attributes.
    private func includes(_ audience: LoopbackAudience) -> Bool {
        audience.includes(user) || audience.includes(user["custom"])
    }

    /// A name as apps receive it (`Hashing.ts` of js-client-monorepo).
    private func hashed(_ name: String) -> String {
        guard hash == "djb2" else { return name }
        var result: Int32 = 0
        for unit in name.utf16 { result = (result << 5) &- result &+ Int32(unit) }
        return "\(UInt32(bitPattern: result))"
    }
}
#endif
