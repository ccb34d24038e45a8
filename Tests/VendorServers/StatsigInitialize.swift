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
        let isActive = config.kind != .experiment || config.group != nil
        let targeted = isActive ? config.targeted.flatMap { includes($0.audience) ? $0 : nil } : nil
        let rest = config.kind == .experiment ? isActive ? "everyone" : "prestart" : "default"
        let rule = targeted == nil ? rest : "targeted"
        let common = evaluation(config.name, rule).adding([
            "value": .raw(targeted?.value ?? config.value), "is_device_based": false, "group": .string(rule),
        ])
        switch config.kind {
        case .dynamicConfig: return common.adding(["passed": .bool(targeted != nil)])
        case .layer: return common.adding(["explicit_parameters": [], "undelegated_secondary_exposures": []])
        case .experiment:
            let group = targeted.map { $0.group } ?? config.group
            return common.adding(group.map { ["group_name": .string($0)] }).adding([
                "explicit_parameters": [], "is_experiment_active": .bool(isActive),
                "is_user_in_experiment": .bool(isActive),
            ])
        }
    }

    private func evaluation(_ name: String, _ rule: String) -> JSONOutput {
        [
            "name": .string(hashed(name)), "rule_id": .string(rule), "secondary_exposures": [], "id_type": "userID",
        ]
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
