import Foundation
import TestSupport

/// A document that is read and changed by every command, with a golden transcript.
struct GoldenDocument: Sendable, CustomStringConvertible {
    /// The path of a fixture in the folder of fixtures, or the name of a document that the suite writes.
    let name: String
    /// The content of a document that the suite writes; `nil` for a fixture, which is read in place.
    let contents: [UInt8]?

    var description: String { name }

    /// The name of the golden transcript.
    var goldenName: String { contents == nil ? "golden/fixtures/\(name.replacing("/", with: "-"))" : "golden/\(name)" }

    private init(_ name: String, _ contents: [UInt8]?) { (self.name, self.contents) = (name, contents) }

    /// The fixtures beside the package; empty if they are missing.
    static let fixtures: [GoldenDocument] = {
        let folders = ["config_categories", "firebase", "reports"].flatMap { folder in
            let path = Fixtures.folder.appending(path: folder).path
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
            return names.filter { !$0.contains("README") && !Self.isFolder("\(path)/\($0)") }.map { "\(folder)/\($0)" }
        }
        // Other tests read all files of this suite.
        let syntax = [
            "i_string_UTF-16LE_with_BOM", "i_structure_UTF-8_BOM_empty_object", "n_string_unescaped_newline",
            "n_structure_100000_opening_arrays", "y_object_duplicated_key", "y_structure_lonely_string",
        ].map { "json-test-suite/test_parsing/\($0).json" }.filter(Fixtures.exists)
        return (folders + syntax).sorted().map { GoldenDocument($0, nil) }
    }()

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Documents of every kind, with values that are easy to get wrong.
    static let written: [GoldenDocument] =
        texts.map { GoldenDocument($0, Array($1.utf8)) } + [
            // Python's plistlib wrote it, from some of the values of defaults.plist.
            GoldenDocument(
                "binary.plist",
                Data(
                    base64Encoded: """
                        YnBsaXN0MDDVAQIDBAUGBwgJClRibG9iVGRhcmtVbGltaXRVcmF0aW9Vc2luY2VDYWJjCRAHI0AkAAAAAAAAM0HHlxMgAAAACBMY
                        HSMpLzM0Nj8AAAAAAAABAQAAAAAAAAALAAAAAAAAAAAAAAAAAAAASA==
                        """, options: .ignoreUnknownCharacters
                ).map(Array.init) ?? []),
            GoldenDocument("latin1.json", Array(#"{"name": "Gr"#.utf8) + [0xFC] + Array(#"n"}"#.utf8)),
            GoldenDocument("zero-bytes.json", []),
        ]

    private static let texts: [(String, String)] = [
        (
            "values.json",
            #"""
            {
              "a bool": true, "spelled": "TRUE", "off": "false",
              "int": 7, "text int": "42", "huge": 123456789012345678901234567890, "negative": -0,
              "double": 10.0, "exponent": 1e3, "zeros": "01067", "version": "2024.10",
              "none": null, "empty": "", "object": {"b": [1, {"c": null}], "a": "é"}, "json": "[{\"id\": 1}]",
              "control": "tab\tline\nescape\u001b[31m nul\u0000", "wide": "日本 👩‍👩‍👧 e\u0301", "rtl": "\u202eabc",
              "it's|a=\"key\"": "x", "": "no key", "since": "2026-01-31T12:00:00+02:00", "$(touch x)": "`id`"
            }
            """#
        ),
        (
            "categories.json",
            #"""
            {
              "dark": "false", "theme": "dark", "limit": 10, "ratio": "0.5", "greeting": "Hello", "layout": "{\"rows\": 2}",
              "unlisted": "x", "wrong": "maybe",
              "config_categories": [
                {"category": "Screens", "description": "All screens.", "items": [
                  {"key": "dark", "value": "true|false", "title": "Dark mode", "description": "Dark colours.", "restart": true},
                  {"key": "theme", "value": "dark|light|high \\| low|", "owner": "ana", "expires": "2026-01-31",
                   "requires": ["dark", "nosuch"]}]},
                {"category": "Zahlen & Größen", "items": [
                  {"key": "limit", "type": "int", "min": 1, "max": 20}, {"key": "ratio", "type": "double", "min": 0.25},
                  {"key": "layout", "type": "json"}, {"key": "unset", "value": "1|2"}, {"key": "wrong", "type": "bool"}]},
                {"category": "Screens", "items": [{"key": "greeting"}]}
              ]
            }
            """#
        ),
        (
            "catalog.json",
            #"[{"category": "Home", "items": [{"key": "map", "value": "true|false"}, {"key": "name", "value": "Bo|Al"}]}]"#
        ),
        (
            "odd-catalog.json",
            #"[{"items": [{}, {"key": 1, "type": "colour", "min": 9, "max": 1}, 3]}, "x", {"category": 2, "items": {}}]"#
        ),
        ("broken-catalog.json", #"{"config_categories": "[{\"category\":"}"#),
        (
            "client-template.json",
            #"""
            {
              "conditions": [
                {"name": "ios", "expression": "device.os == 'ios'", "tagColor": "BLUE"},
                {"name": "some of them", "expression": "percent <= 10"}],
              "parameters": {
                "welcome": {"defaultValue": {"value": "hi"}, "valueType": "STRING", "description": "Greets.",
                  "conditionalValues": {"ios": {"value": "hello"}, "some of them": {"useInAppDefault": true}}},
                "count": {"defaultValue": {"value": "3"}, "valueType": "NUMBER"},
                "in_app": {"defaultValue": {"useInAppDefault": true}, "valueType": "JSON"},
                "personal": {"defaultValue": {"personalizationValue": {"personalizationId": "p"}}},
                "rollout": {"defaultValue": {"value": "a"}, "conditionalValues": {
                  "ios": {"rolloutValue": {"rolloutId": "r", "value": "b", "percent": 10}},
                  "some of them": {"experimentValue": {"experimentId": "e", "variantValue": [
                    {"variantId": "0", "value": "a"}, {"variantId": "1", "noChange": true}]}}}},
                "list": {"defaultValue": {"value": "[{\"id\":1}]"}, "valueType": "STRING"}},
              "parameterGroups": {
                "Menu": {"description": "What is on it.", "parameters": {
                  "dark": {"defaultValue": {"value": "TRUE"}, "conditionalValues": {"ios": {"value": "false"}},
                    "valueType": "BOOLEAN"},
                  "plain": {"valueType": "BOOLEAN"}}}},
              "version": {"versionNumber": "28", "updateUser": {"email": "ana@example.com"}}, "etag": "x"
            }
            """#
        ),
        (
            "server-template.json",
            #"""
            {
              "conditions": [
                {"name": "vip", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [
                  {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES", "customSignalKey": "plan",
                    "targetCustomSignalValues": ["pro"]}}]}}]}}},
                {"name": "new app", "condition": {"customSignal": {
                  "customSignalOperator": "SEMANTIC_VERSION_GREATER_EQUAL", "customSignalKey": "version",
                  "targetCustomSignalValues": ["2.1"]}}},
                {"name": "half", "condition": {"percent": {
                  "percentOperator": "LESS_OR_EQUAL", "seed": "s", "microPercent": 50000000}}},
                {"name": "all", "condition": {"true": {}}}],
              "parameters": {
                "limit": {"defaultValue": {"value": "10"}, "conditionalValues": {"vip": {"value": "100"}, "half": {"value": "50"}},
                  "valueType": "NUMBER"},
                "beta": {"defaultValue": {"value": "false"}, "conditionalValues": {"new app": {"value": "true"}},
                  "valueType": "BOOLEAN"},
                "title": {"defaultValue": {"value": "Hello"}, "conditionalValues": {"all": {"value": "Hi"}}},
                "config_categories": {"defaultValue": {
                  "value": "[{\"category\":\"C\",\"items\":[{\"key\":\"title\",\"value\":\"Hello|Hi\"}]}]"}, "valueType": "JSON"}}
            }
            """#
        ),
        (
            "odd-template.json",
            #"""
            {
              "parameters": {
                "a": {"defaultValue": {"value": true}}, "c": {"defaultValue": {}},
                "d": {"defaultValue": {"value": "1"}, "conditionalValues": {"nosuch": {"value": "2"}}}}
            }
            """#
        ),
        (
            "broken-template.json",
            #"""
            {
              "conditions": [{}, {"name": "a", "condition": {"percent": {}}}, {"name": "a", "condition": {"nosuch": 1}}, 3],
              "parameterGroups": {"G": 1, "H": {"description": 2, "parameters": []}}, "parameters": {"b": 3}
            }
            """#
        ),
        (
            "defaults.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>blob</key><data>YWJj</data><key>dark</key><true/><key>half</key><real>0.5</real>
              <key>limit</key><integer>7</integer>
              <key>list</key><array><integer>1</integer><string>two</string><false/></array>
              <key>name</key><string>Gr\u{FC}\u{DF}e &amp; more</string>
              <key>nested</key><dict><key>a</key><dict><key>b</key><integer>1</integer></dict></dict>
              <key>ratio</key><real>10</real><key>since</key><date>2026-01-31T12:00:00Z</date>
            </dict></plist>

            """
        ),
        (
            "defaults.xml",
            """
            <?xml version="1.0" encoding="utf-8"?>
            <defaultsMap>
              <entry><key>dark</key><value>true</value></entry>
              <entry><key>limit</key><value> 7 </value></entry>
              <entry><key>name</key><value>&lt;b&gt;</value></entry>
            </defaultsMap>

            """
        ),
        ("other.xml", "<resources><string name=\"a\">b</string></resources>"),
        (
            "flagd.json",
            #"""
            {"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": {
              "failure": {"description": "Fails.", "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"},
              "layout": {"state": "ENABLED", "variants": {"one": "A", "two": "B"}, "defaultVariant": "two",
                "targeting": {"if": [true, "one"]}, "metadata": {"description": "The layout."}},
              "size": {"state": "DISABLED", "variants": {"small": 1, "large": 2.5}, "defaultVariant": "small"},
              "mixed": {"variants": {"a": 1, "b": "x"}}}}
            """#
        ),
        (
            "flagd-list.json",
            #"{"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": [{"key": "a"}, {"variants": {"on": true}}]}"#
        ),
        (
            "manifest.json",
            #"""
            {"flags": {
              "checkout": {"flagType": "boolean", "defaultValue": true, "description": "The new checkout."},
              "retries": {"flagType": "integer", "defaultValue": 3}, "rate": {"flagType": "float", "defaultValue": 1},
              "theme": {"flagType": "object", "defaultValue": {"a": 1}}}}
            """#
        ),
        ("odd-manifest.json", #"{"flags": {"day": {"flagType": "date"}, "list": {"flagType": "boolean[]"}}}"#),
        ("empty-object.json", "{}"),
        ("plain-flags.json", #"{"flags": {"search": true, "offline": false}}"#),
        ("go-feature-flag.yaml", "a:\n  variations:\n    on: true\n"),
        ("launchdarkly.json", #"{"flagValues": {"a": true}, "flags": {}}"#),
        (
            "export.json",
            #"{"app": "shop", "source": "x", "exportedAt": "2026-01-31T12:00:00Z", "overrides": {"a": "1"}}"#
        ),
        ("number.json", "3\n"),
        ("truncated.json", #"{"a": tru"#),
        ("comments.json", "{\n  \"dark\": true, // until May\n  \"size\": 3,\n}\n"),
        ("duplicate.json", #"{"a": 1, "b": 2, "a": 3}"#),
        ("table.txt", "\u{1B}[90m│\u{1B}[39m Entry Name │ Value │\n parameters   dark_mode\n"),
    ]
}
