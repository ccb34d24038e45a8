#if Network
import FlagModel
import FlagSourceStatsig
import FlagTesting
import Testing

/// Statsig: flags from responses.
struct StatsigFlagsTests {
    private func document(
        gates: String = "", configs: String = "", layers: String = "", names: [String] = [], prefix: String = ""
    ) throws -> RemoteDocument {
        try StatsigFlags.document(
            Array(Self.response(gates: gates, configs: configs, layers: layers).utf8), names: names, keyPrefix: prefix)
    }

    private static func response(
        gates: String = "", configs: String = "", layers: String = "", more: String = ""
    ) -> String {
        #"{"has_updates": true, "feature_gates": {\#(gates)}, "dynamic_configs": {\#(configs)}, "#
            + #""layer_configs": {\#(layers)}\#(more)}"#
    }

    /// The catalog is a parameter of the dynamic config with the same name.
    private static let catalog = #"{"value": {"config_categories": \#(ResponseConformanceSuite.catalog)}}"#

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        try ResponseConformanceSuite(
            rejected: [
                "[]", "{}", #"{"has_updates": false}"#, #"{"has_updates": true}"#, #"{"success": true}"#,
                #"{"has_updates": true, "feature_gates": [], "dynamic_configs": {}, "layer_configs": {}}"#,
            ],
            // A format that SDKs never request.
            explained: [
                Self.response(gates: #""on": {"v": true}"#, more: #", "response_format": "init-v2""#): "init-v2"
            ],
            empty: [Self.response(), Self.response(gates: #""config_categories": {"value": true}"#)],
            full: Self.response(
                gates: #""shop.a": {"value": true}, "b": {"value": true}"#,
                configs: #""config_categories": \#(Self.catalog)"#)
        ) { try StatsigFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `the catalog is also read among hashed names`() throws {
        let document = try document(
            gates: #""shop.a": {"value": true}, "b": {"value": true}"#, configs: #""351460153": \#(Self.catalog)"#,
            names: ["shop.a"], prefix: "shop.")
        #expect(document.values.keys.map(\.string) == ["shop.a"] && document.issues.isEmpty)
        #expect(document.catalog?.item("shop.a")?.title == "Places")
    }

    @Test func `a feature gate is a bool with its rule and ID type`() throws {
        let document = try document(
            gates: #"""
                "a": {"name": "a", "value": true, "rule_id": "r:50.00:4", "id_type": "stableID", "secondary_exposures": []},
                "b": {"name": "b", "value": false, "rule_id": "default", "id_type": "userID", "secondary_exposures": []}
                """#)
        #expect(
            document.lines == [
                "Feature gates | a | bool | true | true/false | - | rule r:50.00:4, by stableID",
                "Feature gates | b | bool | false | true/false | - | rule default, by userID",
            ])
    }

    @Test func `configs, experiments and layers are JSON objects, each kind in its category`() throws {
        let document = try document(
            configs: #"""
                "colors": {"value": {"hex": "#00f", "sizes": [1, 2]}, "rule_id": "default", "passed": false},
                "price": {"value": {"price": 7.5}, "rule_id": "r", "group_name": "Control", "is_experiment_active": true,
                          "is_user_in_experiment": true},
                "later": {"value": {}, "rule_id": "prestart", "is_experiment_active": false, "is_user_in_experiment": false},
                "forced": {"value": {}, "rule_id": "o", "is_experiment_active": true, "is_user_in_experiment": false}
                """#,
            layers: #""home": {"value": {"title": "Hi"}, "rule_id": "r", "allocated_experiment_name": "price"}"#)
        #expect(
            document.lines == [
                ##"Dynamic configs | colors | json | {"hex":"#00f","sizes":[1,2]} | - | - | rule default"##,
                #"Experiments | price | json | {"price":7.5} | - | - | group Control, rule r"#,
                "Experiments | later | json | {} | - | - | rule prestart, not active",
                "Experiments | forced | json | {} | - | - | rule o, user not in the experiment",
                #"Layers | home | json | {"title":"Hi"} | - | - | rule r"#,
            ])
    }

    @Test func `the names in the settings identify the hashed names of a recorded response`() throws {
        // From `initialize.json` of js-client-monorepo, a response for Statsig's demo project.
        let gates = #"""
            "2867927529": {"name": "2867927529", "value": true, "rule_id": "2QWhVkWdUEXR6Q3KYgV73O:100.00:4", "id_type": "userID"},
            "610600137": {"name": "610600137", "value": true, "rule_id": "59nkHdlmIytrqNG9iT7gkd:50.00:4", "id_type": "userID"}
            """#
        let configs = ##"""
            "3495537376": {"name": "3495537376", "value": {"red": "#FF0000", "blue": "#00FF00", "green": "#0000FF"}},
            "3921852239": {"name": "3921852239", "value": {"a_string": "Experiment Test Value", "my_obj": {}}}
            """##
        let layers =
            #""3011030003": {"name": "3011030003", "value": {"a_string": "Experiment Test Value", "my_obj": {}}}"#
        let names = ["a_gate", "a_dynamic_config", "an_experiment", "a_layer", "gone", "other"]
        let document = try document(gates: gates, configs: configs, layers: layers, names: names)
        #expect(document.values.keys.map(\.string) == ["a_gate", "a_dynamic_config", "an_experiment", "a_layer"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 2 && sentences[0].contains(#"is named "gone""#), "\(sentences)")
        let prefixed = try self.document(gates: gates, names: ["a_gate", "other"], prefix: "a_")
        #expect(prefixed.values.keys.map(\.string) == ["a_gate"] && prefixed.issues.isEmpty)
        let unicode = try self.document(gates: #""2015071": {"value": true}"#, names: ["ü😀"])
        #expect(unicode.values["ü😀"] == "true", "the hash is over UTF-16 code units")
        let readable = try self.document(gates: #""a": {"value": true}, "b": {"value": true}"#, names: ["a"])
        #expect(readable.values.keys.map(\.string) == ["a"])
    }

    @Test func `a flag with an unusable value, or with the name of another flag, is left out with a warning`() throws {
        let document = try document(
            gates: #""a": {"value": "yes"}, "b": true, "c": {"value": true}, "": {"value": true}"#,
            configs: #""d": {"value": 3}, "e": {}, "c": {"value": {}}"#, layers: #""f": {"value": {}}"#)
        #expect(document.values.keys.map(\.string) == ["c", "f"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 6 && sentences[0].contains(#"the gate "a" was left out"#), "\(sentences)")
        #expect(sentences.contains { $0.contains("without a name") })
        #expect(
            sentences.contains {
                $0.contains(#""c" is the name of several flags: the one in "Feature gates" is used"#)
            })
    }
}
#endif
