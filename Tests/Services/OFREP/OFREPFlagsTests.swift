#if Network
import FlagModel
import FlagRemote
import FlagSourceOFREP
import Testing

/// OFREP: flags from responses.
struct OFREPFlagsTests {
    private func document(_ flags: String, prefix: String = "") throws -> RemoteDocument {
        try OFREPFlags.document(Array("{\"flags\": [\(flags)]}".utf8), keyPrefix: prefix)
    }

    private func snapshot(_ flags: String) throws -> RemoteSnapshot { RemoteSnapshot(documents: [try document(flags)]) }

    @Test(
        arguments: [
            ("true", FlagType.bool, "true"), ("false", .bool, "false"), (#""""#, .string, ""),
            (#""true""#, .string, "true"),
            ("10", .int, "10"), ("0", .int, "0"), ("7.0", .double, "7.0"), ("1e3", .double, "1e3"),
            ("12345678901234567890", .double, "12345678901234567890"), (#"{"a": [1, 2]}"#, .json, #"{"a":[1,2]}"#),
            ("{}", .json, "{}"), ("[1, 2]", .json, "[1,2]"), ("[]", .json, "[]"),
        ])
    func `each value keeps its spelling and gets the type of its JSON`(json: String, type: FlagType, text: String)
        throws
    {
        let snapshot = try snapshot(#"{"key": "f", "reason": "STATIC", "value": \#(json)}"#)
        #expect(snapshot.values["f"]?.string == text)
        #expect(snapshot.type(of: "f") == type)
        #expect(snapshot.catalog.item("f")?.options.map(\.value) == (type == .bool ? ["true", "false"] : []))
        #expect(snapshot.issues.isEmpty && snapshot.catalog.categories.map(\.name) == ["Flags"])
    }

    @Test func `variant, reason and metadata become notes and details, also with unknown reasons`() throws {
        let snapshot = try snapshot(
            """
            {"key": "a", "value": true, "reason": "TARGETING_MATCH", "variant": "on", "metadata": {"team": "x", "n": 2, "b": true}},
            {"key": "b", "value": true, "reason": "OF_ITS_OWN"}, {"key": "c", "value": true},
            {"key": "d", "reason": "DEFAULT"}
            """)
        #expect(snapshot.note(of: "a") == "variant on, TARGETING_MATCH")
        #expect(snapshot.catalog.item("a")?.details == "team: x, n: 2, b: true")
        #expect(snapshot.note(of: "b") == "OF_ITS_OWN" && snapshot.note(of: "c") == nil)
        #expect(snapshot.catalog.item("b")?.details == nil)
    }

    @Test(
        arguments: [
            (#"{"key": "d", "reason": "DEFAULT"}"#, "DEFAULT, left to the app"),
            (#"{"key": "d", "value": null, "reason": "DISABLED"}"#, "DISABLED, left to the app"),
        ])
    func `a flag without a value or with null is listed and uses the app's default`(entry: String, note: String) throws
    {
        let snapshot = try snapshot(entry)
        #expect(snapshot.values["d"] == nil && snapshot.catalog.item("d") != nil && snapshot.issues.isEmpty)
        #expect(snapshot.note(of: "d")?.string == note)
    }

    @Test func `a failed flag is left out with the server's error`() throws {
        let document = try document(
            """
            {"key": "gone", "errorCode": "FLAG_NOT_FOUND", "errorDetails": "no\\u001b[2J flag"},
            {"key": "odd", "errorCode": "GENERAL", "value": true}, {"value": 1}, 3, {"key": ""},
            {"key": "good", "value": true}, {"key": "good", "value": false}
            """)
        #expect(Array(document.values.keys) == ["good"] && document.values["good"] == "true")
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 6)
        #expect(
            sentences[0]
                == #"the flag "gone" was left out: the service could not evaluate it (FLAG_NOT_FOUND, "no\u001B[2J flag")"#
        )
        #expect(
            sentences[1].contains("GENERAL") && sentences[2].contains("flag 3") && sentences[5].contains("duplicate"))
    }

    @Test(
        arguments: [
            "", "[]", "{}", "3", #"{"flags": {}}"#, #"{"flags": [{"key": "#, #"{"flags": [], "flags": []}"#, "<html>",
        ])
    func `a response that does not follow the protocol is rejected`(text: String) {
        #expect(throws: DocumentError.self) { try OFREPFlags.document(Array(text.utf8)) }
    }

    @Test func `an empty set of flags is valid`() throws { #expect(try document("").values.isEmpty) }

    @Test func `only flags with the key prefix are read, with their full key`() throws {
        let document = try document(
            #"{"key": "shop.a", "value": true}, {"key": "other.a", "value": true}, {"key": "other.b", "errorCode": "GENERAL"}"#,
            prefix: "shop.")
        #expect(Array(document.values.keys) == ["shop.a"] && document.issues.isEmpty)
    }

    @Test func `a flag whose value is a catalog arranges the others`() throws {
        let catalog = #"[{\"category\": \"Location\", \"items\": [{\"key\": \"a\", \"title\": \"Places\"}]}]"#
        let snapshot = try snapshot(
            #"{"key": "config_categories", "value": "\#(catalog)"}, {"key": "a", "value": true, "variant": "on"}, {"key": "b", "value": 1}"#
        )
        #expect(snapshot.catalog.categories.map(\.name.string) == ["Location", "Other"])
        #expect(snapshot.catalog.item("a")?.title == "Places" && snapshot.note(of: "a") == "variant on")
        #expect(snapshot.values["config_categories"] == nil && snapshot.type(of: "b") == .int)
    }

    private static let base = SourceURL("https://flags.example.com/env")

    @Test func `event streams are read, unsupported ones are skipped, and none is cached`() throws {
        let text = #"""
            {"flags": [{"key": "a", "value": "x\u00e9", "metadata": {"n": 1.50}}], "eventStreams": [
              {"type": "sse", "url": "https://sse.example.com/s?token=hush", "inactivityDelaySec": 60},
              {"type": "sse", "endpoint": {"requestUri": "/own?c=1"}},
              {"type": "sse", "endpoint": {"origin": "https://o.example.com", "requestUri": "/far"}, "inactivityDelaySec": 0},
              {"type": "websocket", "url": "wss://x"}, {"type": "sse"}, {"type": "sse", "url": "https://x", "endpoint": {"requestUri": "/"}},
              {"type": "sse", "endpoint": {"requestUri": "no-slash"}}], "metadata": {"version": "v12"}}
            """#
        let result = try OFREPResponse(parsing: Array(text.utf8), base: try #require(Self.base))
        #expect(
            result.streams.map(\.url.text) == [
                "https://sse.example.com/s?token=hush", "https://flags.example.com:443/own?c=1",
                "https://o.example.com/far",
            ])
        let cached = String(decoding: result.bytes, as: UTF8.self)
        #expect(!cached.contains("hush") && !cached.contains("eventStreams") && cached.contains(#""version":"v12""#))
        #expect(try OFREPFlags.document(result.bytes).values["a"] == "xé")
        #expect(!"\(result.streams)".contains("hush"))
        let plain = Array(#"{"flags": []}"#.utf8)
        #expect(try OFREPResponse(parsing: plain, base: try #require(Self.base)).bytes == plain)
    }
}
#endif
