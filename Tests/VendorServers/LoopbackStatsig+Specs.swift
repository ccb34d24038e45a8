#if Network
import FlagModel
import FlagTesting
import Synchronization

// The rules that the SDKs for servers download and evaluate (`spec_types.rs` of statsig-server-core).
extension LoopbackStatsig {
    /// The response to `GET /v2/download_config_specs/KEY.json`.
    func specs(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.path == "/v2/download_config_specs/\(serverKey).json" else { return .status(401) }
        let state = self.state.withLock { $0 }
        guard request.query("sinceTime") != "\(state.time)" else { return .document(["has_updates": false]) }
        func configs(_ isIncluded: (Config) -> Bool) -> JSONOutput {
            .object(state.configs.filter(isIncluded).map { ($0.name, Self.spec($0)) })
        }
        return .document([
            "has_updates": true, "time": .integer(state.time), "company_id": "loopback", "response_format": "dcs-v2",
            "condition_map": Self.conditions(state),
            "feature_gates": .object(state.gates.map { ($0.name, Self.spec($0)) }),
            "dynamic_configs": configs { $0.kind != .layer }, "layer_configs": configs { $0.kind == .layer },
            "experiment_to_layer": [:], "layers": [:], "diagnostics": [:], "param_stores": [:], "id_lists": [:],
            "sdk_keys_to_app_ids": [:],
        ])
    }

    /// The conditions of all rules by name: `public` for all users, and one for each audience.
    private static func conditions(_ state: State) -> JSONOutput {
        func condition(_ type: String, _ field: JSONOutput, _ comparison: JSONOutput, _ value: JSONOutput) -> JSONOutput
        {
            [
                "type": .string(type), "additionalValues": [:], "idType": "userID", "field": field,
                "operator": comparison, "targetValue": value,
            ]
        }
        let audiences = state.gates.compactMap(\.audience) + state.configs.compactMap { $0.targeted?.audience }
        let named = Dictionary(audiences.map { (conditionName($0), $0) }) { first, _ in first }
        let targeted = named.map { ($0, condition("user_field", .string($1.fact), "any", $1.list)) }
        return .object([("public", condition("public", .null, .null, .null))] + targeted)
    }

    private static func conditionName(_ audience: LoopbackAudience) -> String {
        "\(audience.fact) \(audience.values.joined(separator: " "))"
    }

    private static func spec(_ gate: Gate) -> JSONOutput {
        let name = gate.audience == nil ? "everyone" : "targeted"
        return spec("feature_gate", "feature_gate", false, [gate.isOn ? rule(name, for: gate.audience, true) : nil])
    }

    private static func spec(_ config: Config) -> JSONOutput {
        let targeted = config.targeted.map { rule("targeted", for: $0.audience, .raw($0.value), group: $0.group) }
        let value = JSONOutput.raw(config.value)
        switch config.kind {
        case .dynamicConfig: return spec("dynamic_config", "dynamic_config", value, [targeted])
        case .layer: return spec("dynamic_config", "layer", value, [targeted]).adding(["explicitParameters": []])
        case .experiment:
            let isActive = config.group != nil
            let rest = rule(isActive ? "everyone" : "prestart", for: nil, value, group: config.group)
            return spec("dynamic_config", "experiment", [:], [isActive ? targeted : nil, rest]).adding([
                "isActive": .bool(isActive), "hasSharedParams": false, "explicitParameters": [],
            ])
        }
    }

    private static func spec(_ type: String, _ entity: String, _ value: JSONOutput, _ rules: JSONOutput) -> JSONOutput {
        [
            "type": .string(type), "entity": .string(entity), "salt": "salt", "enabled": true, "defaultValue": value,
            "rules": rules, "idType": "userID", "version": 1,
        ]
    }

    private static func rule(
        _ id: String, for audience: LoopbackAudience?, _ value: JSONOutput, group: String? = nil
    ) -> JSONOutput {
        [
            "name": .string(id), "id": .string(id), "salt": "", "passPercentage": 100,
            "conditions": [.string(audience.map(conditionName) ?? "public")], "returnValue": value, "idType": "userID",
            "groupName": group.map { .string($0) }, "isExperimentGroup": group == nil ? nil : true,
        ]
    }
}
#endif
