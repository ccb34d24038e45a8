#if Network
import FlagModel
import FlagSourcePostHog
import FlagTesting
import Testing

/// PostHog: flags from responses.
struct PostHogFlagsTests {
    private func document(_ flags: String, hasErrors: Bool = false) throws -> RemoteDocument {
        try PostHogFlags.document(
            Array(#"{"errorsWhileComputingFlags": \#(hasErrors), "flags": {\#(flags)}}"#.utf8))
    }

    private func record(_ members: String) -> String {
        #"{"key": "f", "enabled": true, "variant": null, \#(members)}"#
    }

    @Test func `only responses of the flags endpoint are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"enabled": true, "metadata": {"payload": \#(ResponseConformanceSuite.quotedCatalog)}}"#
        let flags = #""shop.a": {"enabled": true}, "b": {"enabled": true}"#
        try ResponseConformanceSuite(
            rejected: ["[]", "{}", #"{"flags": []}"#],
            explained: [
                #"{"featureFlags": {"a": true}}"#: "is this the URL of PostHog (https://us.i.posthog.com",
                #"{"flags": {}, "quotaLimited": ["recordings", "feature_flags"]}"#: "billing limit",
            ],
            empty: [#"{"flags": {}}"#, #"{"flags": {}, "quotaLimited": ["recordings"]}"#],
            full: #"{"flags": {"config_categories": \#(catalog), \#(flags)}}"#,
            conflict: (
                #"{"flags": {"f": \#(record(#""metadata": {"payload": "1"}"#)), "f.payload": {"enabled": false}}}"#,
                "f.payload", "false"
            )
        ) { try PostHogFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: [true, false])
    func `a flag without a variant becomes a bool flag, with the reason as its note`(isEnabled: Bool) throws {
        let document = try document(
            #"""
            "demo": {"key": "demo", "enabled": \#(isEnabled), "variant": null,
              "reason": {"code": "condition_match", "condition_index": 0, "description": "Matched condition set 1"},
              "metadata": {"id": 7, "version": 3, "description": "Shows the demo", "payload": null}}
            """#)
        #expect(
            document.lines
                == ["Flags | demo | bool | \(isEnabled) | true/false | Shows the demo | Matched condition set 1"])
    }

    @Test(arguments: ["blue", "true", "3", "false"])
    func `a variant is a text, even if it looks like a bool or a number`(variant: String) throws {
        let document = try document(#""f": {"key": "f", "enabled": true, "variant": "\#(variant)"}"#)
        #expect(document.lines == ["Flags | f | string | \(variant) | - | - | -"])
    }

    @Test func `the code of a reason is the note if there is no description`() throws {
        let document = try document(#""f": \#(record(#""reason": {"code": "no_group_type"}"#))"#)
        #expect(document.notes["f"] == "no_group_type")
    }

    @Test(arguments: [
        (#"{"hex": "blue"}"#, #"{"hex":"blue"}"#, FlagType.json), ("[1]", "[1]", .json),
        (#""Good day""#, "Good day", .string), (#""42""#, "42", .string), ("42", "42", .int),
        ("4.5", "4.5", .double), ("true", "true", .bool), ("{", "{", .string), ("", "", .string),
    ])
    func `a payload is a separate flag with the value and the type of its JSON`(
        json: String, text: String, type: FlagType
    ) throws {
        let payload = JSONOutput.string(json).text()
        let document = try document(
            #""f": {"enabled": true, "variant": "blue", "metadata": {"payload": \#(payload)}}"#)
        #expect(
            document.lines == [
                "Flags | f | string | blue | - | - | -",
                "Flags | f.payload | \(type) | \(text) | - | - | payload of variant blue",
            ])
    }

    @Test func `a payload is read even if it is sent as JSON instead of a text`() throws {
        let document = try document(#""f": \#(record(#""metadata": {"payload": {"a": [1]}}"#))"#)
        #expect(document.lines.last == #"Flags | f.payload | json | {"a":[1]} | - | - | payload"#)
    }

    @Test(arguments: [
        #"{"enabled": false, "variant": null, "metadata": {"payload": "1"}}"#,
        #"{"enabled": true, "variant": null, "metadata": {"payload": null}}"#,
        #"{"enabled": true, "variant": null, "metadata": {"payload": "null"}}"#,
        #"{"enabled": true, "variant": null, "metadata": {}}"#, #"{"enabled": true, "metadata": null}"#,
    ])
    func `a flag that is off, or has an empty payload, has no payload`(record: String) throws {
        let document = try document(#""f": \#(record)"#)
        #expect(Array(document.values.keys) == ["f"] && document.issues.isEmpty)
    }

    @Test func `an unreadable flag is left out with an issue`() throws {
        let document = try document(
            #"""
            "a": 3, "b": {"enabled": "yes"}, "c": {"enabled": true, "variant": 3}, "d": {"enabled": true},
            "e": {"enabled": false, "failed": true, "reason": {"code": "timeout_error", "description": "Timed out"}}
            """#)
        #expect(Array(document.values.keys) == ["d"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 4 && sentences[1].contains(#""b""#) && sentences[2].contains("variant"))
        #expect(sentences[3].contains("could not evaluate it (Timed out)"), "\(sentences)")
    }

    @Test func `a response with errors is used, with a warning`() throws {
        let document = try document(#""a": {"enabled": true}"#, hasErrors: true)
        #expect(document.values["a"] == "true")
        #expect(document.issues.map(\.description).first?.contains("errorsWhileComputingFlags") == true)
    }
}
#endif
