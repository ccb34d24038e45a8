import FlagFormats
import FlagModel
import TestSupport
import Testing

private func document(_ text: String) throws -> RemoteDocument { try RemoteDocument(ofAnyFormat: text.bytes) }

@Suite struct KnownFormatTests {
    @Test func `a flagd file has the default variants as values, all variants as options, and notes on them`() throws {
        let remote = try document(
            #"""
            {"$schema": "https://flagd.dev/schema/v0/flags.json", "metadata": {"version": "1"}, "flags": {
              "dark": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on", "targeting": {}},
              "layout": {"state": "ENABLED", "variants": {"one": "A", "two": "B", "same": "A"}, "defaultVariant": "two",
                "targeting": {"if": [{"==": [{"var": "plan"}, "pro"]}, "one"]}, "description": "Which layout"},
              "limit": {"state": "DISABLED", "variants": {"low": 1, "high": 2.5}, "defaultVariant": "low", "metadata": {"description": "A limit"}},
              "text": {"state": "ENABLED", "variants": {"json": {"a": [1]}, "none": {}}, "defaultVariant": "json"},
              "mixed": {"state": "ENABLED", "variants": {"a": 1, "b": "x"}, "defaultVariant": null},
              "lost": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "b"},
              "bare": {"state": "ENABLED"}}}
            """#)
        #expect(remote.kind == .definitions && remote.values == ["dark": "true", "layout": "B", "text": #"{"a":[1]}"#])
        let catalog = try #require(remote.catalog)
        #expect(catalog.categories.map(\.name) == ["Flags"])
        #expect(catalog.items.map(\.key.string) == ["dark", "layout", "limit", "text", "mixed", "lost"])
        #expect(catalog.items.map(\.declaredType) == [.bool, .string, .double, .json, nil, .int])
        #expect(catalog.item("layout")?.details == "Which layout" && catalog.item("limit")?.details == "A limit")
        #expect(catalog.item("layout")?.options.map(\.label) == ["one, same", "two"])
        #expect(
            catalog.item("dark")?.options == [
                FlagOption(value: "true", label: "on", isNamed: true),
                FlagOption(value: "false", label: "off", isNamed: true),
            ])
        #expect(
            remote.issues.map(\.description) == [
                #"the flag "lost" has no value: its default variant "b" is not one of its variants"#,
                #"the flag "bare" has no object of variants and was left out"#,
            ])
        // Rules are not evaluated.
        #expect(
            ["dark", "layout", "limit", "mixed"].map { remote.notes[$0] } == [
                "default variant on",
                "default variant two; has rules that only flagd evaluates; the default variant is shown", "disabled",
                "no default variant",
            ])
    }

    @Test func `a flag of another tool among simple flags is listed as JSON, with a warning`() throws {
        let remote = try document(
            #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}}, "b": {"enabled": true}, "c": true}}"#)
        #expect(remote.values["b"] == "true" && remote.values["c"] == "true")
        #expect(
            remote.issues.map(\.description) == [#""a" has "variants", which is not read here, and is listed as JSON"#])
        let launchDarkly = try document(#"{"flagValues": {"a": true}, "version": 3, "comment": "x"}"#)
        #expect(launchDarkly.values == ["a": "true"])
    }

    @Test func `a flag of an OpenFeature manifest has no value if its default is of another type`() throws {
        let remote = try document(
            #"""
            {"$schema": "https://raw.githubusercontent.com/open-feature/cli/main/schema/v0/flag-manifest.json", "flags": {
              "greeting": {"flagType": "string", "defaultValue": "hi"},
              "wrong": {"flagType": "integer", "defaultValue": "many"}, "odd": {"flagType": "colour", "defaultValue": 1}}}
            """#)
        #expect(remote.kind == .definitions && remote.values == ["greeting": "hi"])
        #expect(remote.catalog?.items.map(\.declaredType) == [.string, .int])
        #expect(
            remote.issues.map(\.description) == [
                #"the flag "wrong" has no value: its "defaultValue" is not of the type integer"#,
                #"the flag "odd" has no known "flagType" and was left out"#,
            ])
    }

    /// How the remedy names a source of a tool. None reads ConfigCat's own files.
    private static let sourceArguments = [
        "LaunchDarkly": "launchdarkly:ENV",
        "Unleash": "unleash:URL",
        "Split": "split:URL",
        "PostHog": "posthog:URL",
        "Flagsmith": "flagsmith:URL",
        "Statsig": "statsig:",
        "OFREP": "ofrep:URL",
        "GrowthBook": "growthbook:URL",
    ]

    @Test(arguments: [
        (#"{"flags": {"a": {"key": "a", "on": true, "variations": [true, false]}}, "segments": {}}"#, "LaunchDarkly"),
        (#"{"items": [{"key": "a", "variations": [{"value": true}]}], "totalCount": 1}"#, "LaunchDarkly"),
        (#"{"a": {"version": 3, "flagVersion": 1, "value": true, "variation": 0}}"#, "LaunchDarkly"),
        (#"{"version": 2, "features": [{"name": "a", "enabled": true, "strategies": []}]}"#, "Unleash"),
        (#"{"features": [{"name": "a"}], "featureStrategies": [], "tags": []}"#, "Unleash"),
        (#"{"toggles": [{"name": "a", "enabled": true, "variant": {"name": "disabled"}}]}"#, "Unleash"),
        (#"{"splits": [{"name": "a", "trafficTypeName": "user", "conditions": []}], "till": 1}"#, "Split"),
        (#"{"ff": {"t": 1, "d": [{"name": "a", "trafficTypeName": "user"}]}}"#, "Split"),
        (#"{"errorsWhileComputingFlags": false, "flags": {"a": {"key": "a", "enabled": true}}}"#, "PostHog"),
        (#"{"identifier": "u", "traits": [], "flags": [{"feature": {"name": "a"}, "enabled": true}]}"#, "Flagsmith"),
        (#"{"api_key": "k", "feature_states": [{"feature": {"name": "a"}}]}"#, "Flagsmith"),
        (#"[{"feature": {"name": "a"}, "enabled": true, "feature_state_value": null}]"#, "Flagsmith"),
        (#"{"flags": [{"key": "a", "filters": {"groups": []}}], "cohorts": {}}"#, "PostHog"),
        (#"{"count": 1, "results": [{"key": "a", "filters": {}}]}"#, "PostHog"),
        (#"{"feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}}"#, "Statsig"),
        (#"{"flags": [{"key": "a", "value": true, "reason": "STATIC"}]}"#, "OFREP"),
        (#"{"features": {"a": {"defaultValue": true, "rules": []}}, "dateUpdated": "x"}"#, "GrowthBook"),
        (#"{"p": {"u": "https://cdn"}, "f": {"a": {"t": 0, "v": {"b": true}}}}"#, "ConfigCat"),
        (#"{"p": {"u": "https://cdn"}, "f": {"a": {"v": true}}}"#, "ConfigCat"),
        (#"{"toggles": [{"name": "a", "variant": {}}]}"#, "Unleash"),
        (#"{"count": 1, "results": [{"key": "a"}]}"#, "PostHog"),
        (#"{"version": 2, "features": [{"name": "a", "strategies": []}, {"x": 1}]}"#, "Unleash"),
    ])
    func `a document of another format is rejected with the name of the format and a remedy`(
        _ text: String, format: String
    ) throws {
        let error = try #require(throws: DocumentError.self) { try document(text) }
        #expect(error.description.contains(format) && error.description.contains("JSON object of keys and values"))
        let argument = Self.sourceArguments[format]
        #expect(error.description.contains("as in ") == (argument != nil))
        #expect(argument.map { error.description.contains("as in \($0)") } != false)
    }

    @Test(arguments: [
        #"{"flags": true, "features": "x"}"#,
        #"{"feature_gates": true, "b": 1}"#,
        #"{"flagValues": {"a": 1}, "b": 1}"#,
        #"{"flags": {"a": true}, "other": 1}"#,
        #"{"features": ["a"], "items": [], "toggles": {}}"#,
        #"{"config_categories": "[]", "a": {"variations": {"x": 1}}}"#,
        #"{"a": 1, "b": 2, "c": {"variations": {"x": 1}}}"#,
        #"{"p": 1, "s": 2}"#,
        #"{"namespace": "prod", "version": "1.0"}"#,
        #"{"since": 1, "till": 2}"#,
        #"{"status": "x", "dateUpdated": "y"}"#,
        #"{"encryptedFeatures": true, "dark": false}"#,
        #"{"count": 1, "next": 2, "previous": 3}"#,
        #"{"version": 1, "query": "x", "meta": {}}"#,
        #"{"a": {"description": "d"}, "b": {"defaultValue": {}}}"#,
        #"{"a": {"defaultValue": true}, "b": {"defaultValue": {"value": 3}}}"#,
        #"{"a": {"variations": 3}, "b": {"value": 1}}"#,
        #"{"$schema": "https://flagd.dev/schema", "flags": "none"}"#,
    ])
    func `members named as in another format are plain flags unless their values have that format too`(
        _ text: String
    ) throws {
        let remote = try document(text)
        let members = try JSONDocument(parsing: text.bytes).root.members.filter { $0.key != "config_categories" }
        #expect(remote.kind == .values && remote.values.count == members.count)
        for (key, value) in members { #expect(remote.values[key] == value.flagText, "\(key)") }
    }

    @Test(
        arguments: [
            ("# flags\nnew-checkout:\n  variations:\n    on: true\n", "the document is YAML, which is read from files"),
            ("---\na: 1\n", "the document is YAML"), ("- name: a\n", "the document is YAML"),
            ("\n<!DOCTYPE html>", "the document is a web page, such as a login; name the document itself"),
            ("<!-- c -->\n<!doctype html><html></html>", "the document is a web page"),
            ("<plist/>", "the document is XML, which is read from files only; save it as a file"),
            ("", "the document is empty; save a JSON object of keys and values"), (" \n", "the document is empty"),
            (
                "version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
                "the document is a Git LFS pointer, not the file itself; run git lfs pull"
            ),
            (
                "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> b\n}",
                "the document is a file with merge-conflict markers of Git; resolve the conflict first"
            ),
            ("[1,]", "line 1, column 4: JSON has no comments and no trailing commas"),
            ("[,]", "line 1, column 2: expected a value or ']', found ','"),
            ("{\n  a: 1}", "line 2, column 3: expected a key in double quotes or '}', found 'a'"),
            (#""a": 1"#, "line 1, column 4: expected the end of the text, found ':'"),
        ])
    func `texts that are not JSON are rejected by name with what to do, and invalid JSON with its position`(
        _ text: String, _ start: String
    ) {
        let error = #expect(throws: DocumentError.self) { try document(text) }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            (#"[{"flags": {"a": {"variants": {}}}}]"#, "an array with a flag file of flagd in it"),
            (#"[{"parameters": {}}]"#, "an array with a template of Firebase Remote Config in it"),
            (#"[[{"category": "A", "items": []}]]"#, "an array with a catalog in it"),
            (#"[{"category": "shoes", "price": 3}]"#, "its elements are not categories"),
            (#"[{"a": true}]"#, "its elements are not categories"), (#"["a"]"#, "its elements are not categories"),
        ])
    func `an array that is not a catalog is rejected, with the name of what is in it`(_ text: String, _ words: String) {
        let error = #expect(throws: DocumentError.self) { try document(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    private static let simple: [(String, [String: String])] = [
        (#"{"flags": {"a": true, "b": 1}}"#, ["a": "true", "b": "1"]),
        (#"{"version": "1", "flags": {"a": true, "b": {"x": 1}}}"#, ["a": "true", "b": #"{"x":1}"#]),
        (#"{"flagValues": {"a": true, "b": "x"}}"#, ["a": "true", "b": "x"]),
        (#"{"features": {"a": {"enabled": false}, "b": {"value": 3, "enabled": true}}}"#, ["a": "false", "b": "3"]),
        (#"{"flags": [{"key": "a", "enabled": true}, {"name": "b", "value": "x"}]}"#, ["a": "true", "b": "x"]),
        (#"[{"name": "a", "enabled": true}]"#, ["a": "true"]),
        (#"{"toggles": {"a": null}}"#, [:]), (#"{"flags": {}}"#, [:]),
        (#"{"a": {"defaultValue": {"value": "x"}}, "b": {"valueType": "STRING"}}"#, ["a": "x"]),
        (
            #"{"a": {"defaultValue": {"personalizationValue": {"personalizationId": "p"}}}, "b": {"defaultValue": {"value": "x"}}}"#,
            ["b": "x"]
        ),
        (
            #"{"config_categories": {"defaultValue": {"value": "[]"}}, "a": {"defaultValue": {"value": "x"}}}"#,
            ["a": "x"]
        ),
        (
            #"{"a": {"variants": {"on": true, "off": false}, "defaultVariant": "off", "disabled": false}}"#,
            ["a": "false"]
        ),
        (
            #"{"$schema": "x", "a": {"variations": {"A": 1, "B": 2}, "defaultRule": {"variation": "B"}}}"#, ["a": "2"]
        ),
        (
            #"{"namespace": "default", "flags": [{"key": "a", "type": "BOOLEAN_FLAG_TYPE", "enabled": true}, {"key": "b", "enabled": true, "variants": [{"key": "x"}, {"key": "y", "default": true}]}]}"#,
            ["a": "true", "b": "y"]
        ),
        (
            #"{"flags": [{"key": "a", "name": "Alpha", "type": "boolean", "defaultValue": false}]}"#, ["a": "false"]
        ),
        (
            #"{"apiVersion": "core.openfeature.dev/v1beta1", "kind": "FeatureFlag", "spec": {"flagSpec": {"flags": {"a": {"variants": {"x": 1}, "defaultVariant": "x"}}}}}"#,
            ["a": "1"]
        ),
    ]

    @Test(arguments: simple)
    func `files of flags in all their shapes have their values`(_ text: String, _ values: [String: String]) throws {
        let remote = try document(text)
        #expect(remote.kind == .definitions || remote.kind == .template)
        #expect(remote.values == ValueTable(values.map { (FlagText($0), FlagText($1)) }))
        #expect(remote.issues.isEmpty && remote.catalog != nil)
    }

    @Test func `a flag of a team's own file keeps its title, description and type, and says what is not evaluated`()
        throws
    {
        let remote = try document(
            #"""
            {"version": 1, "segments": [1], "flags": {"a": {"enabled": true, "title": "A", "description": "B", "rollout": 5},
              "n": null, "d": {"type": "double", "value": 1}}}
            """#)
        let item = try #require(remote.catalog?.item("a"))
        #expect(item.title == "A" && item.details == "B" && item.declaredType == .bool)
        #expect(remote.notes["a"] == #"has "rollout", which is not evaluated"#)
        #expect(remote.catalog?.item("n") != nil && remote.values["n"] == nil && remote.types["d"] == .double)
        #expect(remote.issues.map(\.description) == [#""segments" beside "flags" was left out"#])
    }

    @Test func `flags whose rules only their tool evaluates say so`() throws {
        let go = try document(
            #"{"a": {"variations": {"x": 1}, "defaultRule": {"percentage": {"x": 100}}, "metadata": {"description": "D"}}}"#
        )
        #expect(go.values.isEmpty && go.catalog?.item("a")?.details == "D")
        #expect(go.notes["a"] == "no default variant; has rules that only GO Feature Flag evaluates")
        let flipt = try document(
            #"{"namespace": "n", "flags": [{"key": "a", "enabled": true, "rules": [{"segment": "s"}], "variants": [{"key": "x"}]}]}"#
        )
        #expect(flipt.notes["a"] == "no default variant; has rules that only Flipt evaluates")
        let values = try document(#"{"flagValues": {"a": 1}, "flags": {"b": {"on": true}}}"#)
        #expect(values.values == ["a": "1"])
        #expect(
            values.issues.map(\.description) == [
                #"the flag "b" has rules that only LaunchDarkly evaluates and was left out"#
            ])
    }

    @Test func `a member of a flag that is none of its known ones is left out with a warning`() throws {
        let remote = try document(#"{"flags": {"retry": {"enabled": true, "maximum": 3, "tags": []}}}"#)
        #expect(remote.values == ["retry": "true"])
        #expect(remote.issues.map(\.description) == [#""maximum" of "retry" was left out"#])
    }

    @Test func `an object named flags beside other flags is one flag, with a warning; null is a flag without a value`()
        throws
    {
        let remote = try document(#"{"flags": {"a": true}, "other": 1, "unset": null}"#)
        #expect(remote.kind == .values && remote.values.count == 2)
        #expect(
            remote.issues.map(\.description) == [
                #"line 1, column 11: "flags" is listed as one flag, as its content has no known format"#
            ])
        let snapshot = RemoteSnapshot(documents: [remote])
        #expect(snapshot.catalog.items.map(\.key.string) == ["flags", "other", "unset"])
        #expect(snapshot.values["unset"] == nil)
    }

    // Documents of several tools, with an entry that is not a definition.
    private static let flagdFile = #"{"flags": {"a": %, "z": {"variants": {"on": true}, "defaultVariant": "on"}}}"#
    private static let goFile = #"{"a": %, "z": {"variations": {"on": true}, "defaultRule": {"variation": "on"}}}"#
    private static let parameters = #"{"a": %, "z": {"defaultValue": {"value": "true"}}}"#
    private static let inMemory =
        #"{"a": %, "z": {"variants": {"on": true}, "defaultVariant": "on", "disabled": false}}"#
    private static let manifest = #"{"flags": {"a": %, "z": {"flagType": "boolean", "defaultValue": true}}}"#

    @Test(arguments: [
        (flagdFile, "null", #"the flag "a" is null and was left out"#),
        (goFile, "5", #"the flag "a" is a number and was left out"#),
        (parameters, "null", #"the parameter "a" is null and was left out"#),
        (parameters, #"{"description": "d"}"#, #"the parameter "a" has no value"#),
        (parameters, #"{"defaultValue": {}}"#, #"the parameter "a" has no value"#),
        (parameters, #"{"defaultValue": null}"#, #"the parameter "a" has no value"#),
        (inMemory, #""x""#, #"the flag "a" is a string and was left out"#),
        (manifest, "{}", #"the flag "a" has no known "flagType" and was left out"#),
        (#"{"featureFlags": [%, {"name": "z", "enabled": true}]}"#, #"{"enabled": true}"#, unnamed(1)),
        (#"[{"key": "z", "value": true}, %]"#, #"{"x": 1}"#, unnamed(2)),
        (
            #"{"flags": [{"key": "z", "variants": {"x": true}, "defaultVariant": "x"}, %]}"#, #"{"x": 1}"#,
            #"flag 2 has no string "key" and was left out"#
        ),
    ])
    func `an entry that is not a definition is left out, with a warning that names it`(
        _ text: String, _ entry: String, _ warning: String
    ) throws {
        let remote = try document(text.replacing("%", with: entry))
        #expect(remote.values == ["z": "true"])
        #expect(remote.kind != .values && remote.issues.map(\.sentence) == [warning])
    }

    private static func unnamed(_ number: Int) -> String {
        #"flag \#(number) has no string "key" or "name", or no value, and was left out"#
    }

    @Test func `each odd element of a list of flags has a warning, also one that is not an object`() throws {
        let remote = try document(#"{"flags": [{"key": "a", "value": true}, {"nokey": 1}, 5]}"#)
        #expect(remote.values == ["a": "true"] && remote.kind == .definitions)
        #expect(remote.issues.map(\.sentence) == [Self.unnamed(2), Self.unnamed(3)])
        let unknown = try document(#"{"toggles": [{"x": 1}]}"#)
        #expect(unknown.kind == .values && unknown.issues.count == 1)
    }

    @Test(
        arguments: [
            (#"{"a": 1e400, "b": true}"#, "line 1, column 7: "), (#"{"flags": {"a": 1e400, "b": true}}"#, ""),
        ])
    func `a number beyond the range of a double has a warning`(_ text: String, _ place: String) throws {
        let remote = try document(text)
        #expect(
            remote.issues.map(\.description) == [place + #""a" has no value: "1e400" is out of the range of a double"#])
    }

    @Test(arguments: 1...4)
    func `an array of categories is a catalog, however many there are`(count: Int) throws {
        let categories = (0..<count).map { #"{"category": "C\#($0)", "items": [{"key": "k\#($0)"}]}"# }
        let remote = try document("[\(categories.joined(separator: ", "))]")
        #expect(remote.kind == .catalogOnly && remote.catalog?.items.count == count)
    }

    @Test func `a described flag of a team's own file is listed without a value, with a warning`() throws {
        let remote = try document(#"{"version": 1, "flags": {"a": {"description": "A", "type": "bool"}}}"#)
        let item = try #require(remote.catalog?.item("a"))
        #expect(item.details == "A" && item.declaredType == .bool && remote.values.isEmpty)
        #expect(remote.issues.map(\.description) == [#"the flag "a" has a description, but no value"#])
    }

    @Test func `comments and trailing commas are removed only from files whose name ends in .jsonc`() {
        let text = "{\"a\": \"// no, /* no */ ,}\", // yes, }\r\n \"b\": [1, /* x\n */ 2,],}".bytes
        let plain = String(decoding: JSONComments.removed(from: text, named: "A.JSONC"), as: UTF8.self)
        #expect(
            plain == "{\"a\": \"// no, /* no */ ,}\"," + String(repeating: " ", count: 10)
                + "\r\n \"b\": [1,     \n    2 ] }")
        #expect(JSONComments.removed(from: text, named: "a.json") == text)
        for text in ["\"a\\", "/", "//", "/*", "/*/", "\"", "{,", "1 /"] {
            #expect(JSONComments.removed(from: text.bytes, named: ".jsonc").count == text.utf8.count)
        }
    }

    @Test func `the format of a document with 20,000 flags is recognized`() throws {
        let members = (0..<20_000).map { #""k\#($0)": {"variations": "\#($0)"}"# }.joined(separator: ",")
        let remote = try document("{\(members)}")
        #expect(remote.kind == .values && remote.values.count == 20_000)
        let flags = (0..<20_000).map { #""k\#($0)": {"variants": {"a": \#($0)}, "defaultVariant": "a"}"# }
        let flagd = try document(#"{"flags": {\#(flags.joined(separator: ","))}}"#)
        #expect(flagd.kind == .definitions && flagd.values["k19999"] == "19999")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a flag with 20,000 variants is read in linear time`() throws {
        let variants = (0..<20_000).map { #""v\#($0)": "\#($0 / 2)""# }.joined(separator: ",")
        let remote = try document(#"{"flags": {"a": {"variants": {\#(variants)}, "defaultVariant": "v19999"}}}"#)
        let options = try #require(remote.catalog?.item("a")).options
        #expect(options.count == 1_000 && options.first?.label == "v0, v1" && remote.values["a"] == "9999")
    }
}
