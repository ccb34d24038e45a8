import FlagFormats
import FlagModel
import TestSupport
import Testing

private func document(_ text: String) throws -> RemoteDocument { try RemoteDocument(ofAnyFormat: text.bytes) }

@Suite("Flag files of other tools")
struct ForeignFormatTests {
    private static let flagd = #"""
        {"$schema": "https://flagd.dev/schema/v0/flags.json", "metadata": {"version": "1"}, "flags": {
          "dark": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on", "targeting": {}},
          "layout": {"state": "ENABLED", "variants": {"one": "A", "two": "B", "same": "A"}, "defaultVariant": "two",
            "targeting": {"if": [{"==": [{"var": "plan"}, "pro"]}, "one"]}, "metadata": {"description": "Which layout"}},
          "limit": {"state": "DISABLED", "variants": {"low": 1, "high": 2.5}, "defaultVariant": "low"},
          "text": {"state": "ENABLED", "variants": {"json": {"a": [1]}, "none": {}}, "defaultVariant": "json"},
          "mixed": {"state": "ENABLED", "variants": {"a": 1, "b": "x"}, "defaultVariant": null},
          "lost": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "b"},
          "bare": {"state": "ENABLED"}}}
        """#

    @Test("a flagd file has the default variants as values, and all variants as options")
    func flagd() throws {
        let remote = try document(Self.flagd)
        #expect(remote.kind == .definitions && remote.values == ["dark": "true", "layout": "B", "text": #"{"a":[1]}"#])
        let catalog = try #require(remote.catalog)
        #expect(catalog.categories.map(\.name) == ["Flags"])
        #expect(catalog.items.map(\.key.string) == ["dark", "layout", "limit", "text", "mixed", "lost"])
        #expect(catalog.items.map(\.declaredType) == [.bool, .string, .double, .json, nil, .int])
        #expect(catalog.item("layout")?.details == "Which layout")
        #expect(catalog.item("layout")?.options.map(\.label) == ["one, same", "two"])
        #expect(
            catalog.item("dark")?.options == [
                FlagOption(value: "true", label: "on"), FlagOption(value: "false", label: "off"),
            ])
        #expect(
            remote.issues.map(\.description) == [
                #"the flag "lost" has no value: its default variant "b" is not one of its variants"#,
                #"the flag "bare" has no object "variants" and was left out"#,
            ])
    }

    @Test("the note of a flagd flag explains its value and says that targeting is not evaluated")
    func flagdNotes() throws {
        let remote = try document(Self.flagd)
        #expect(
            ["dark", "layout", "limit", "mixed"].map { remote.notes[$0] } == [
                "default variant on", "default variant two, targeting is not evaluated", "disabled",
                "no default variant",
            ])
    }

    @Test(
        "the flags of a flagd file may be an array or empty",
        arguments: [
            (
                #"{"flags": [{"key": "a", "state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x"}]}"#,
                ["a": "1"]
            ),
            (#"{"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": {}}"#, [:]),
        ] as [(String, [String: String])])
    func shapesOfFlagd(_ text: String, _ values: [String: String]) throws {
        let remote = try document(text)
        #expect(remote.kind == .definitions && remote.issues.isEmpty)
        #expect(remote.values == ValueTable(values.map { (FlagText($0), FlagText($1)) }))
    }

    @Test("an OpenFeature manifest gives keys, types, descriptions and default values")
    func manifest() throws {
        let remote = try document(
            #"""
            {"$schema": "https://raw.githubusercontent.com/open-feature/cli/main/schema/v0/flag-manifest.json", "flags": {
              "newCheckout": {"flagType": "boolean", "defaultValue": false, "description": "The new checkout"},
              "rate": {"flagType": "float", "defaultValue": 0.5}, "count": {"flagType": "integer", "defaultValue": 7},
              "greeting": {"flagType": "string", "defaultValue": "hi"}, "theme": {"flagType": "object", "defaultValue": {"a": 1}},
              "wrong": {"flagType": "integer", "defaultValue": "many"}, "odd": {"flagType": "colour", "defaultValue": 1}}}
            """#)
        #expect(remote.kind == .definitions)
        #expect(
            remote.values == [
                "newCheckout": "false", "rate": "0.5", "count": "7", "greeting": "hi", "theme": #"{"a":1}"#,
            ])
        let catalog = try #require(remote.catalog)
        #expect(catalog.items.map(\.declaredType) == [.bool, .double, .int, .string, .json, .int])
        #expect(catalog.item("newCheckout")?.details == "The new checkout")
        #expect(catalog.item("newCheckout")?.options.map(\.value) == ["true", "false"])
        #expect(
            remote.issues.map(\.description) == [
                #"the flag "wrong" has no value: its "defaultValue" is not of the type integer"#,
                #"the flag "odd" has no known "flagType" and was left out"#,
            ])
    }

    @Test(
        "a document of another format is rejected with the name of the format and a remedy",
        arguments: [
            (
                #"{"a": {"variations": {"on": true}, "defaultRule": {"variation": "on"}}}"#, "GO Feature Flag",
                "ofrep:URL"
            ),
            (
                #"{"flags": {"a": {"key": "a", "on": true, "variations": [true, false]}}, "segments": {}}"#,
                "LaunchDarkly", "launchdarkly:ENV"
            ),
            (#"{"flagValues": {"a": true}}"#, "LaunchDarkly", "launchdarkly:ENV"),
            (
                #"{"items": [{"key": "a", "variations": [{"value": true}]}], "totalCount": 1}"#, "LaunchDarkly",
                "launchdarkly:ENV"
            ),
            (
                #"{"a": {"version": 3, "flagVersion": 1, "value": true, "variation": 0}}"#, "LaunchDarkly",
                "launchdarkly:ENV"
            ),
            (
                #"{"version": 2, "features": [{"name": "a", "enabled": true, "strategies": []}]}"#, "Unleash",
                "unleash:URL"
            ),
            (#"{"features": [{"name": "a"}], "featureStrategies": [], "tags": []}"#, "Unleash", "unleash:URL"),
            (
                #"{"toggles": [{"name": "a", "enabled": true, "variant": {"name": "disabled"}}]}"#, "Unleash",
                "unleash:URL"
            ),
            (
                #"{"splits": [{"name": "a", "trafficTypeName": "user", "conditions": []}], "till": 1}"#, "Split",
                "split:URL"
            ),
            (#"{"ff": {"t": 1, "d": [{"name": "a", "trafficTypeName": "user"}]}}"#, "Split", "split:URL"),
            (
                #"{"errorsWhileComputingFlags": false, "flags": {"a": {"key": "a", "enabled": true}}}"#, "PostHog",
                "posthog:URL"
            ),
            (
                #"{"identifier": "u", "traits": [], "flags": [{"feature": {"name": "a"}, "enabled": true}]}"#,
                "Flagsmith", "flagsmith:URL"
            ),
            (
                #"{"api_key": "k", "feature_states": [{"feature": {"name": "a"}}]}"#, "Flagsmith", "flagsmith:URL"
            ),
            (
                #"[{"feature": {"name": "a"}, "enabled": true, "feature_state_value": null}]"#, "Flagsmith",
                "flagsmith:URL"
            ),
            (#"{"flags": [{"key": "a", "filters": {"groups": []}}], "cohorts": {}}"#, "PostHog", "posthog:URL"),
            (#"{"count": 1, "results": [{"key": "a", "filters": {}}]}"#, "PostHog", "posthog:URL"),
            (#"{"feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}}"#, "Statsig", "statsig:"),
            (#"{"flags": [{"key": "a", "value": true, "reason": "STATIC"}]}"#, "OFREP", "ofrep:URL"),
            (
                #"{"features": {"a": {"defaultValue": true, "rules": []}}, "dateUpdated": "x"}"#, "GrowthBook",
                "growthbook:URL"
            ),
            (#"{"p": {"u": "https://cdn"}, "f": {"a": {"t": 0, "v": {"b": true}}}}"#, "ConfigCat", nil),
            (#"{"flags": {"a": true, "b": 1}}"#, "ConfigCat", nil),
        ] as [(String, String, String?)])
    func rejected(_ text: String, formatName: String, sourceArgument: String?) throws {
        let error = try #require(throws: DocumentError.self) { try document(text) }
        #expect(error.description.contains(formatName) && error.description.contains("JSON object of keys and values"))
        #expect(error.description.contains("as in ") == (sourceArgument != nil))
        if let sourceArgument { #expect(error.description.contains("as in \(sourceArgument)")) }
    }

    @Test(
        "members named as in another format are plain flags unless their values have that format too",
        arguments: [
            (#"{"flags": true, "features": "x"}"#, ["flags": "true", "features": "x"]),
            (#"{"feature_gates": true, "b": 1}"#, ["feature_gates": "true", "b": "1"]),
            (#"{"flagValues": {"a": 1}, "b": 1}"#, ["flagValues": #"{"a":1}"#, "b": "1"]),
            (#"{"flags": {"a": true}, "other": 1}"#, ["flags": #"{"a":true}"#, "other": "1"]),
            (
                #"{"features": ["a"], "items": [], "toggles": {}}"#,
                ["features": #"["a"]"#, "items": "[]", "toggles": "{}"]
            ),
            (#"{"a": {"variations": 3}, "b": {"value": 1}}"#, ["a": #"{"variations":3}"#, "b": #"{"value":1}"#]),
            (
                #"{"$schema": "https://flagd.dev/schema", "flags": "none"}"#,
                ["$schema": "https://flagd.dev/schema", "flags": "none"]
            ),
        ] as [(String, [String: String])])
    func values(_ text: String, _ values: [String: String]) throws {
        let remote = try document(text)
        #expect(remote.kind == .values && remote.values == ValueTable(values.map { (FlagText($0), FlagText($1)) }))
    }

    @Test(
        "YAML and web pages are rejected by name, and invalid JSON with its position",
        arguments: [
            (
                "# flags\nnew-checkout:\n  variations:\n    on: true\n",
                "the document looks like YAML, which is not supported; convert it to JSON"
            ),
            ("---\na: 1\n", "the document looks like YAML, which is not supported; convert it to JSON"),
            ("- name: a\n", "the document looks like YAML, which is not supported; convert it to JSON"),
            ("\n<!DOCTYPE html>", "the document is a web page or XML; expected JSON"),
            ("{\n  a: 1}", "line 2, column 3: expected a key in double quotes or '}', found 'a'"),
            (#""a": 1"#, "line 1, column 4: expected the end of the text, found ':'"),
        ])
    func notJSON(_ text: String, _ sentence: String) {
        let error = #expect(throws: DocumentError.self) { try document(text) }
        #expect(error?.description == sentence)
    }

    @Test("the format of a document with 20,000 flags is recognized")
    func largeDocuments() throws {
        let members = (0..<20_000).map { #""k\#($0)": {"variations": "\#($0)"}"# }.joined(separator: ",")
        let remote = try document("{\(members)}")
        #expect(remote.kind == .values && remote.values.count == 20_000)
        let flags = (0..<20_000).map { #""k\#($0)": {"variants": {"a": \#($0)}, "defaultVariant": "a"}"# }
        let flagd = try document(#"{"flags": {\#(flags.joined(separator: ","))}}"#)
        #expect(flagd.kind == .definitions && flagd.values["k19999"] == "19999")
    }
}
