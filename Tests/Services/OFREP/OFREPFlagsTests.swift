#if Network
import FlagModel
import FlagRemote
import FlagSourceOFREP
import FlagTesting
import Testing

/// OFREP: flags from responses.
struct OFREPFlagsTests {
    private func document(_ flags: String) throws -> RemoteDocument {
        try OFREPFlags.document(Array("{\"flags\": [\(flags)]}".utf8))
    }

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"key": "config_categories", "value": \#(ResponseConformanceSuite.quotedCatalog)}"#
        let flags = #"{"key": "shop.a", "value": true}, {"key": "b", "value": 1}, {"key": "c", "errorCode": "GENERAL"}"#
        try ResponseConformanceSuite(
            rejected: ["[]", "{}", #"{"flags": {}}"#, #"{"flags": [], "flags": []}"#], empty: [#"{"flags": []}"#],
            full: #"{"flags": [\#(catalog), \#(flags)]}"#
        ) { try OFREPFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: [
        ("true", FlagType.bool, "true"), ("false", .bool, "false"), (#""""#, .string, ""),
        (#""true""#, .string, "true"), ("10", .int, "10"), ("0", .int, "0"), ("7.0", .double, "7.0"),
        ("1e3", .double, "1e3"), ("12345678901234567890", .double, "12345678901234567890"),
        (#"{"a": [1, 2]}"#, .json, #"{"a":[1,2]}"#), ("{}", .json, "{}"), ("[1, 2]", .json, "[1,2]"),
        ("[]", .json, "[]"),
    ])
    func `each value keeps its spelling and gets the type of its JSON`(json: String, type: FlagType, text: String)
        throws
    {
        let options = type == .bool ? "true/false" : "-"
        #expect(
            try document(#"{"key": "f", "reason": "STATIC", "value": \#(json)}"#).lines
                == ["Flags | f | \(type) | \(text) | \(options) | - | STATIC"])
    }

    @Test func `variant, reason and metadata become notes and details, also with unknown reasons`() throws {
        let document = try document(
            """
            {"key": "a", "value": 1, "reason": "TARGETING_MATCH", "variant": "on", "metadata": {"team": "x", "n": 2, "b": true}},
            {"key": "b", "value": 1, "reason": "OF_ITS_OWN"}, {"key": "c", "value": 1}
            """)
        #expect(
            document.lines == [
                "Flags | a | int | 1 | - | team: x, n: 2, b: true | variant on, TARGETING_MATCH",
                "Flags | b | int | 1 | - | - | OF_ITS_OWN", "Flags | c | int | 1 | - | - | -",
            ])
    }

    @Test func `a flag without a value or with null is listed and uses the app's default`() throws {
        let document = try document(
            #"{"key": "a", "reason": "DEFAULT"}, {"key": "b", "value": null, "reason": "DISABLED"}"#)
        #expect(
            document.lines == [
                "Flags | a | - | - | - | - | DEFAULT, left to the app",
                "Flags | b | - | - | - | - | DISABLED, left to the app",
            ])
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
