#if Network
import FlagModel
import FlagSourcePostHog
import Testing

/// PostHog: flags from responses.
struct PostHogFlagsTests {
    private func document(_ flags: String, members: String = "", prefix: String = "") throws -> RemoteDocument {
        let text = #"{"errorsWhileComputingFlags": false, "flags": {\#(flags)}\#(members)}"#
        return try PostHogFlags.document(Array(text.utf8), keyPrefix: prefix)
    }

    private func snapshot(_ flags: String) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try document(flags)])
    }

    private func record(_ members: String) -> String {
        #"{"key": "f", "enabled": true, "variant": null, \#(members)}"#
    }

    @Test(arguments: [true, false])
    func `a flag without a variant becomes a bool flag, with the reason as its note`(isEnabled: Bool) throws {
        let snapshot = try snapshot(
            #"""
            "demo": {"key": "demo", "enabled": \#(isEnabled), "variant": null,
              "reason": {"code": "condition_match", "condition_index": 0, "description": "Matched condition set 1"},
              "metadata": {"id": 7, "version": 3, "description": "Shows the demo", "payload": null}}
            """#)
        #expect(snapshot.values["demo"]?.string == "\(isEnabled)" && snapshot.type(of: "demo") == .bool)
        #expect(snapshot.catalog.item("demo")?.options.map(\.value) == ["true", "false"])
        #expect(snapshot.catalog.item("demo")?.details == "Shows the demo")
        #expect(snapshot.note(of: "demo") == "Matched condition set 1" && snapshot.issues.isEmpty)
        #expect(snapshot.catalog.items.map(\.key) == ["demo"])
        #expect(snapshot.catalog.categories.map(\.name) == ["Flags"])
    }

    @Test(arguments: ["blue", "true", "3", "false"])
    func `a variant is a text, even if it looks like a bool or a number`(variant: String) throws {
        let snapshot = try snapshot(#""f": {"key": "f", "enabled": true, "variant": "\#(variant)"}"#)
        #expect(snapshot.values["f"]?.string == variant && snapshot.type(of: "f") == .string)
        #expect(snapshot.catalog.item("f")?.options.isEmpty == true && snapshot.note(of: "f") == nil)
    }

    @Test func `the code of a reason is the note if there is no description`() throws {
        let snapshot = try snapshot(#""f": \#(record(#""reason": {"code": "no_group_type"}"#))"#)
        #expect(snapshot.note(of: "f") == "no_group_type")
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
        let snapshot = try snapshot(
            #""f": {"enabled": true, "variant": "blue", "metadata": {"payload": \#(payload)}}"#)
        #expect(snapshot.values["f.payload"]?.string == text && snapshot.type(of: "f.payload") == type)
        #expect(snapshot.note(of: "f.payload") == "payload of variant blue" && snapshot.issues.isEmpty)
        #expect(snapshot.catalog.items.map(\.key) == ["f", "f.payload"])
    }

    @Test func `a payload is read even if it is sent as JSON instead of a text`() throws {
        let snapshot = try snapshot(#""f": \#(record(#""metadata": {"payload": {"a": [1]}}"#))"#)
        #expect(snapshot.values["f.payload"] == #"{"a":[1]}"# && snapshot.type(of: "f.payload") == .json)
        #expect(snapshot.note(of: "f.payload") == "payload")
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

    @Test func `a real flag wins over a payload with the same name`() throws {
        let document = try document(
            #""f": \#(record(#""metadata": {"payload": "1"}"#)), "f.payload": {"enabled": false}"#)
        #expect(document.values["f.payload"] == "false" && document.values["f"] == "true")
        #expect(document.issues.map(\.description).contains { $0.contains(#""f.payload" is a flag of its own"#) })
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
        let text = #"{"errorsWhileComputingFlags": true, "flags": {"a": {"enabled": true}}}"#
        let document = try PostHogFlags.document(Array(text.utf8))
        #expect(document.values["a"] == "true")
        #expect(document.issues.map(\.description).first?.contains("errorsWhileComputingFlags") == true)
    }

    @Test func `a quota limited response is an error with a remedy`() throws {
        let error = #expect(throws: DocumentError.self) {
            try document("", members: #", "quotaLimited": ["recordings", "feature_flags"]"#)
        }
        #expect(error?.description.contains("billing limit") == true)
        #expect(try document("", members: #", "quotaLimited": ["recordings"]"#).values.isEmpty)
    }

    @Test(arguments: [
        "", "[]", "{}", "3", #"{"flags": []}"#, #"{"flags": {"a": "#, "<html>", #"{"featureFlags": {"a": true}}"#,
    ])
    func `a response that is not from the flags endpoint is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try PostHogFlags.document(Array(text.utf8)) }
    }

    @Test func `the response of an older PostHog is rejected with an error that names PostHog's URLs`() {
        let error = #expect(throws: DocumentError.self) {
            try PostHogFlags.document(Array(#"{"featureFlags": {"a": true}}"#.utf8))
        }
        #expect(error?.description.contains("is this the URL of PostHog (https://us.i.posthog.com") == true)
    }

    @Test func `a response without flags is valid`() throws { #expect(try document("").values.isEmpty) }

    @Test func `only flags with the key prefix are read; a catalog is always read`() throws {
        let catalog = #"[{\"category\": \"Location\", \"items\": [{\"key\": \"shop-a\", \"title\": \"Places\"}]}]"#
        let document = try document(
            #""config_categories": {"enabled": true, "metadata": {"payload": "\#(catalog)"}}, "#
                + #""shop-a": {"enabled": true}, "b": {"enabled": true}"#, prefix: "shop-")
        #expect(Array(document.values.keys) == ["shop-a"])
        #expect(RemoteSnapshot(documents: [document]).catalog.item("shop-a")?.title == "Places")
    }
}
#endif
