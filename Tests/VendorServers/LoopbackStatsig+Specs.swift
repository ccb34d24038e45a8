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
        guard request.query("sinceTime") != "\(state.time)" else { return .json(#"{"has_updates":false}"#) }
        func configs(_ isIncluded: (Config) -> Bool) -> JSONOutput {
            .object(state.configs.filter(isIncluded).map { ($0.name, Self.spec($0)) })
        }
        let document = JSONOutput.object([
            ("has_updates", .bool(true)), ("time", .integer(state.time)), ("company_id", .string("loopback")),
            ("response_format", .string("dcs-v2")), ("condition_map", Self.conditions(state)),
            ("feature_gates", .object(state.gates.map { ($0.name, Self.spec($0)) })),
            ("dynamic_configs", configs { $0.kind != .layer }), ("layer_configs", configs { $0.kind == .layer }),
            ("experiment_to_layer", .object([])), ("layers", .object([])), ("diagnostics", .object([])),
            ("param_stores", .object([])), ("id_lists", .object([])), ("sdk_keys_to_app_ids", .object([])),
        ])
        return .json(document.text(indented: false))
    }

    /// The conditions of all rules by name: `public` for all users, and one for each audience.
    private static func conditions(_ state: State) -> JSONOutput {
        func condition(_ type: String, _ members: [(String, JSONOutput)]) -> JSONOutput {
            .object(
                [
                    ("type", .string(type)), ("additionalValues", .object([])), ("idType", .string("userID")),
                ] + members)
        }
        let audiences = state.gates.compactMap(\.audience) + state.configs.compactMap { $0.targeted?.audience }
        var names: Set<String> = []
        let targeted = audiences.filter { names.insert(conditionName($0)).inserted }.map { audience in
            (
                conditionName(audience),
                condition(
                    "user_field",
                    [
                        ("field", .string(audience.fact)), ("operator", .string("any")), ("targetValue", audience.list),
                    ])
            )
        }
        let everyone = condition("public", [("field", .null), ("operator", .null), ("targetValue", .null)])
        return .object([("public", everyone)] + targeted)
    }

    private static func conditionName(_ audience: LoopbackAudience) -> String {
        "\(audience.fact) \(audience.values.joined(separator: " "))"
    }

    private static func spec(_ gate: Gate) -> JSONOutput {
        let name = gate.audience == nil ? "everyone" : "targeted"
        let rules = gate.isOn ? [rule(name, for: gate.audience, .bool(true))] : []
        return spec("feature_gate", "feature_gate", .bool(false), rules)
    }

    private static func spec(_ config: Config) -> JSONOutput {
        let targeted = config.targeted.map { targeted in
            [rule("targeted", for: targeted.audience, .raw(targeted.value), group: targeted.group)]
        }
        switch config.kind {
        case .dynamicConfig:
            return spec("dynamic_config", "dynamic_config", .raw(config.value), targeted ?? [])
        case .layer:
            return spec(
                "dynamic_config", "layer", .raw(config.value), targeted ?? [], [("explicitParameters", .array([]))])
        case .experiment:
            let isActive = config.group != nil
            let rest = rule(isActive ? "everyone" : "prestart", for: nil, .raw(config.value), group: config.group)
            return spec(
                "dynamic_config", "experiment", .object([]), (isActive ? targeted ?? [] : []) + [rest],
                [
                    ("isActive", .bool(isActive)), ("hasSharedParams", .bool(false)),
                    ("explicitParameters", .array([])),
                ])
        }
    }

    private static func spec(
        _ type: String, _ entity: String, _ value: JSONOutput, _ rules: [JSONOutput],
        _ members: [(String, JSONOutput)] = []
    ) -> JSONOutput {
        .object(
            [
                ("type", .string(type)), ("entity", .string(entity)), ("salt", .string("salt")),
                ("enabled", .bool(true)), ("defaultValue", value), ("rules", .array(rules)),
                ("idType", .string("userID")), ("version", .integer(1)),
            ] + members)
    }

    private static func rule(
        _ id: String, for audience: LoopbackAudience?, _ value: JSONOutput, group: String? = nil
    ) -> JSONOutput {
        let groupMembers: [(String, JSONOutput)] =
            group.map { [("groupName", .string($0)), ("isExperimentGroup", .bool(true))] } ?? []
        return .object(
            [
                ("name", .string(id)), ("id", .string(id)), ("salt", .string("")), ("passPercentage", .integer(100)),
                ("conditions", .array([.string(audience.map(conditionName) ?? "public")])), ("returnValue", value),
                ("idType", .string("userID")),
            ] + groupMembers)
    }
}
#endif
