#if Network
import FlagModel
import FlagSourceSplit
import FlagTesting
import Testing

/// Split: flags from responses.
struct SplitFlagsTests {
    private func document(_ flags: String) throws -> RemoteDocument {
        try SplitFlags.document(Array("{\"user\": {\(flags)}}".utf8))
    }

    @Test func `only responses of an evaluator are read, and a catalog arranges the flags`() throws {
        let catalog = #"{"treatment": "on", "config": \#(ResponseConformanceSuite.quotedCatalog)}"#
        let flags = #""shop.a": {"treatment": "on"}, "b": {"treatment": "on"}"#
        try ResponseConformanceSuite(
            rejected: [
                "[]", #"{"route":"Sorry this page does not exist!"}"#, #"{"user": {"a": "on"}}"#,
                #"{"error": {}, "user": 1}"#, #"{"splits": ["a"]}"#,
            ],
            empty: ["{}", #"{"user": {}}"#], full: #"{"user": {"config_categories": \#(catalog), \#(flags)}}"#,
            conflict: (
                #"{"user": {"f": {"treatment": "on", "config": "c"}, "f.config": {"treatment": "off"}}}"#, "f.config",
                "off"
            )
        ) { try SplitFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test(arguments: ["on", "off", "v2", "true", "1", "On"])
    func `every treatment is a text; on and off can be read as a bool, and set to the other`(
        treatment: String
    ) throws {
        let isSwitch = ["on", "off"].contains(treatment)
        let options = isSwitch ? "on/off" : "-"
        #expect(
            try document(#""f": {"treatment": "\#(treatment)", "config": null}"#).lines
                == ["user | f | string | \(treatment) | \(options) | - | treatment \(treatment)"])
        if isSwitch { #expect(FlagReading.bool(treatment) == (treatment == "on")) }
    }

    @Test(arguments: [
        (#"{"c": 1}"#, FlagType.json), ("[1]", .json), ("{", .string), ("blue", .string), ("3", .int),
        ("true", .bool), ("", .string),
    ])
    func `a configuration is a separate flag whose type is detected from its text`(text: String, type: FlagType) throws
    {
        let config = JSONOutput.string(text).text()
        #expect(
            try document(#""f": {"treatment": "v1", "config": \#(config)}"#).lines == [
                "user | f | string | v1 | - | - | treatment v1",
                "user | f.config | \(type) | \(text) | - | - | configuration of treatment v1",
            ])
    }

    @Test func `flags are grouped by traffic type; a duplicate flag is used once`() throws {
        let text =
            #"{"user": {"a": {"treatment": "on"}}, "account": {"b": {"treatment": "on"}, "a": {"treatment": "off"}}, "none": {}}"#
        #expect(
            try SplitFlags.document(Array(text.utf8)).lines == [
                "user | a | string | on | on/off | - | treatment on",
                "account | b | string | on | on/off | - | treatment on", #"duplicate flag "a"; the first is used"#,
            ])
    }

    @Test func `a response for one key has no traffic type around its flags`() throws {
        let text = #"{"a": {"treatment": "on", "config": null}, "b": {"treatment": "control", "config": null}}"#
        let document = try SplitFlags.document(Array(text.utf8), trafficType: "user")
        #expect(Array(document.values.keys) == ["a"])
        #expect(document.issues.map(\.description).first?.contains(#"the flag "b" was left out"#) == true)
    }

    @Test func `a response with only control treatments is rejected`() throws {
        let text = #"{"a": {"treatment": "control"}, "b": {"treatment": "control"}}"#
        let error = #expect(throws: DocumentError.self) {
            try SplitFlags.document(Array(text.utf8), trafficType: "user")
        }
        #expect(error?.description.contains("has no flags yet") == true)
    }
}
#endif
