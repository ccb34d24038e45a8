/// The smallest document of each format that is recognised.
struct FormatExample: Sendable, CustomStringConvertible {
    enum Outcome: Sendable, Equatable {
        /// The keys of the flags, sorted.
        case read([String])
        /// A part of the error, such as the name of the format.
        case rejected(String)
    }

    let description: String
    let text: String
    let outcome: Outcome

    private init(_ description: String, _ text: String, _ outcome: Outcome = .read(["a"])) {
        (self.description, self.text, self.outcome) = (description, text, outcome)
    }

    static let all: [FormatExample] = [
        .init("values", #"{"a": true, "b": 1, "c": "x", "d": null}"#, .read(["a", "b", "c", "d"])),
        .init("template", #"{"parameters": {"a": {"defaultValue": {"value": "1"}, "valueType": "NUMBER"}}}"#),
        .init("parameters", #"{"a": {"defaultValue": {"value": "1"}, "valueType": "NUMBER"}}"#),
        .init("catalog", #"[{"category": "A", "items": [{"key": "a", "value": "1|2"}]}]"#),
        .init(
            "flagd",
            #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"}}}"#),
        .init(
            "flagd list",
            #"{"flags": [{"key": "a", "state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}]}"#),
        .init(
            "flagd resource",
            #"{"apiVersion": "core.openfeature.dev/v1beta1", "kind": "FeatureFlag", "metadata": {"name": "x"}, "spec": {"flagSpec": {"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}}}"#
        ),
        .init(
            "OpenFeature in memory",
            #"{"a": {"variants": {"on": true, "off": false}, "defaultVariant": "on", "disabled": false}}"#),
        .init(
            "OpenFeature manifest",
            #"{"flags": {"a": {"flagType": "boolean", "defaultValue": false, "description": "A"}}}"#),
        .init(
            "OpenFeature pull",
            #"{"flags": [{"key": "a", "name": "A", "type": "boolean", "description": "x", "defaultValue": false}]}"#),
        .init(
            "GO Feature Flag",
            #"{"a": {"variations": {"x": 1, "y": 2}, "targeting": [{"query": "q", "variation": "x"}], "defaultRule": {"variation": "y"}}}"#
        ),
        .init(
            "Flipt",
            #"{"version": "1.2", "namespace": "default", "flags": [{"key": "a", "name": "A", "type": "BOOLEAN_FLAG_TYPE", "enabled": true}]}"#
        ),
        .init("LaunchDarkly values", #"{"flagValues": {"a": true}}"#),
        .init("ConfigCat simple", #"{"flags": {"a": true, "b": "x"}}"#, .read(["a", "b"])),
        .init("wrapped", #"{"version": 1, "flags": {"a": {"enabled": true, "description": "A"}}}"#),
        .init("wrapped list", #"{"flags": [{"name": "a", "enabled": true}]}"#),
        .init("list", #"[{"key": "a", "value": "x"}]"#),
        .init(
            "config map",
            #"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"flags.yaml": "flags:\n  a:\n    enabled: true\n"}}"#
        ),
        .init(
            "config map of values",
            #"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"DARK": "true"}}"#,
            .read(["DARK"])),
        .init(
            "LaunchDarkly",
            #"{"flags": {"a": {"key": "a", "on": true, "variations": [true], "fallthrough": {"variation": 0}, "offVariation": 0}}}"#,
            .rejected("LaunchDarkly")),
        .init(
            "Unleash",
            #"{"version": 2, "features": [{"name": "a", "enabled": true, "strategies": []}]}"#, .rejected("Unleash")),
        .init("Split", #"{"splits": [{"name": "a", "trafficTypeName": "user"}], "till": 1}"#, .rejected("Split")),
        .init(
            "PostHog",
            #"{"errorsWhileComputingFlags": false, "flags": {"a": {"key": "a", "enabled": true}}}"#,
            .rejected("PostHog")),
        .init(
            "Flagsmith", #"{"feature_states": [{"feature": {"name": "a"}, "enabled": true}]}"#, .rejected("Flagsmith")),
        .init("Statsig", #"{"feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}}"#, .rejected("Statsig")),
        .init("OFREP", #"{"flags": [{"key": "a", "value": true, "reason": "STATIC"}]}"#, .rejected("OFREP")),
        .init(
            "GrowthBook",
            #"{"status": 200, "features": {"a": {"defaultValue": true, "rules": []}}}"#, .rejected("GrowthBook")),
        .init("GrowthBook without defaults", #"{"status": 200, "features": {"a": {}}}"#, .rejected("GrowthBook")),
        .init("ConfigCat", #"{"p": {"u": "x"}, "f": {"a": {"t": 0, "v": {"b": true}}}}"#, .rejected("ConfigCat")),
        .init(
            "flagd with null",
            #"{"flags": {"a": null, "c": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#,
            .read(["c"])),
        .init(
            "GO Feature Flag with a number",
            #"{"a": 5, "c": {"variations": {"on": true}, "defaultRule": {"variation": "on"}}}"#, .read(["c"])),
        .init("parameters with null", #"{"a": null, "b": {"defaultValue": {"value": "x"}}}"#, .read(["b"])),
        .init(
            "list of config maps",
            #"{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"flags.yaml": "flags:\n  a:\n    enabled: true\n"}}]}"#
        ),
        .init("wrapped without a value", #"{"version": 1, "flags": {"a": {"description": "A"}}}"#),

        // Without their main member, or empty.
        .init(
            "template without parameters",
            #"{"conditions": [{"name": "c", "expression": "true"}], "version": {"versionNumber": "1"}}"#, .read([])),
        .init("flagd without flags", #"{"$schema": "https://flagd.dev/schema/v0/flags.json"}"#, .read([])),
        .init("Flipt without flags", #"{"version": "1.2", "namespace": "default"}"#, .read(["namespace", "version"])),
        .init("empty LaunchDarkly", #"{"flags": {}, "segments": {}}"#, .rejected("LaunchDarkly")),
        .init("LaunchDarkly without items", #"{"totalCount": 0, "_links": {}}"#, .rejected("LaunchDarkly")),
        .init("Unleash without features", #"{"version": 2, "query": {}, "meta": {}}"#, .rejected("Unleash")),
        .init("export of Unleash without features", #"{"version": 1, "featureStrategies": []}"#, .rejected("Unleash")),
        .init("Split without splits", #"{"since": -1, "till": 1}"#, .rejected("Split")),
        .init("Split without flags", #"{"ff": {"s": -1, "t": 1}}"#, .rejected("Split")),
        .init("empty PostHog", #"{"flags": [], "group_type_mapping": {}, "cohorts": {}}"#, .rejected("PostHog")),
        .init("PostHog without results", #"{"count": 0, "next": null, "previous": null}"#, .rejected("PostHog")),
        .init("OFREP without a value", #"{"flags": [{"key": "a", "reason": "STATIC"}]}"#, .rejected("OFREP")),
        .init("OFREP without a key", #"{"flags": [{"value": true, "reason": "STATIC"}]}"#, .rejected("OFREP")),
        .init(
            "GrowthBook without features",
            #"{"status": 200, "dateUpdated": "2026-01-01T00:00:00Z"}"#, .rejected("GrowthBook")),
        .init("ConfigCat without flags", #"{"p": {"u": "x", "r": 0}}"#, .rejected("ConfigCat")),
        .init(
            "config map without data",
            #"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}"#, .rejected("Kubernetes")),
        .init(
            "config map of binary data",
            #"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "binaryData": {"a": "AA=="}}"#,
            .rejected("Kubernetes")),
        .init(
            "export",
            #"{"app": "a", "exportedAt": "2026-01-01T00:00:00Z", "overrides": {"a": "1"}}"#,
            .rejected("flagmenu import")),
    ]
}
