#if Network
import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct SignalConditionTests {
    private func finding(
        _ word: String, _ targets: String, _ signal: ContextValue?
    ) throws -> ConditionFinding {
        let condition = """
            {"customSignal": {"customSignalOperator": "\(word)", "customSignalKey": "level",
             "targetCustomSignalValues": \(targets)}}
            """
        return try Templates.finding(
            condition, TemplateContext(signals: signal.map { ["level": $0] } ?? [:]))
    }

    @Test(arguments: [
        ("STRING_CONTAINS", #"["foo", "biz"]"#, "foobar", true), ("STRING_CONTAINS", #"["foo", "biz"]"#, "bar", false),
        ("STRING_CONTAINS", #"["Foo"]"#, "foobar", false), ("STRING_CONTAINS", #"[""]"#, "x", true),
        ("STRING_CONTAINS", #"["\u00e9"]"#, "e\u{301}", false),
        ("STRING_DOES_NOT_CONTAIN", #"["foo", "biz"]"#, "bar", true),
        ("STRING_DOES_NOT_CONTAIN", #"["foo", "biz"]"#, "foobar", false),
        ("STRING_EXACTLY_MATCHES", #"["foo", " bar "]"#, "\u{A0}bar\n", true),
        ("STRING_EXACTLY_MATCHES", #"["foo"]"#, "foobar", false),
        ("STRING_CONTAINS_REGEX", #"["foo", "^ba.*$"]"#, "bar", true),
        ("STRING_CONTAINS_REGEX", #"["  bar   "]"#, "biz", false),
    ])
    func `text is compared with each target`(word: String, targets: String, signal: String, applies: Bool) throws {
        #expect(try finding(word, targets, .text(signal)).applies == applies)
    }

    @Test(arguments: [
        ("NUMERIC_LESS_THAN", "4", true), ("NUMERIC_LESS_THAN", "5", false), ("NUMERIC_LESS_EQUAL", "5", true),
        ("NUMERIC_EQUAL", " 5.0 ", true), ("NUMERIC_NOT_EQUAL", "6", true), ("NUMERIC_GREATER_THAN", "5", false),
        ("NUMERIC_GREATER_EQUAL", "5", true), ("NUMERIC_EQUAL", "5e0", true), ("NUMERIC_EQUAL", "5_0", false),
    ])
    func `number is compared with the first target`(word: String, signal: String, applies: Bool) throws {
        #expect(try finding(word, #"["5", "99"]"#, .text(signal)).applies == applies)
    }

    @Test func `text that is not a number never applies`() throws {
        let found = try finding("NUMERIC_NOT_EQUAL", #"["5"]"#, "many")
        #expect(!found.applies)
        #expect(found.why == #"level is "many", which cannot be compared: wanted is not "5""#)
    }

    @Test func `nan never applies`() throws {
        #expect(try !finding("NUMERIC_EQUAL", #"["5"]"#, "nan").applies)
        #expect(try !finding("NUMERIC_NOT_EQUAL", #"["5"]"#, "nan").applies)
    }

    @Test func `large integers are compared exactly`() throws {
        #expect(try finding("NUMERIC_LESS_THAN", #"["9007199254740993"]"#, 9_007_199_254_740_992).applies)
    }

    @Test(arguments: [
        ("SEMANTIC_VERSION_LESS_THAN", "5.12", true), ("SEMANTIC_VERSION_LESS_THAN", "5.12.3", false),
        ("SEMANTIC_VERSION_EQUAL", "5.12.3.0.0.0.0", true), ("SEMANTIC_VERSION_EQUAL", "5.12.03", true),
        ("SEMANTIC_VERSION_GREATER_THAN", "5.13", true), ("SEMANTIC_VERSION_NOT_EQUAL", "5.12.3-beta", false),
        ("SEMANTIC_VERSION_LESS_EQUAL", "5.-1", false), ("SEMANTIC_VERSION_GREATER_THAN", "6.-1", false),
        ("SEMANTIC_VERSION_GREATER_THAN", " 20261121 ", true), ("SEMANTIC_VERSION_GREATER_THAN", "6.", false),
    ])
    func `version is compared number by number`(word: String, signal: String, applies: Bool) throws {
        #expect(try finding(word, #"["5.12.3"]"#, .text(signal)).applies == applies)
    }

    @Test(arguments: [nil, "", 0, 0.0] as [ContextValue?])
    func `empty or zero signal counts as missing`(signal: ContextValue?) throws {
        let found = try finding("STRING_DOES_NOT_CONTAIN", #"["x"]"#, signal)
        #expect(found.why == "the context has no signal level")
        #expect(!found.applies)
    }

    @Test func `numbers and booleans are compared as text`() throws {
        #expect(try finding("STRING_EXACTLY_MATCHES", #"["5.5"]"#, 5.5).applies)
        #expect(try finding("STRING_EXACTLY_MATCHES", #"["true"]"#, .bool(true)).applies)
        #expect(try finding("SEMANTIC_VERSION_EQUAL", #"["18.2"]"#, 18.2).applies)
    }

    @Test func `reason names value and target`() throws {
        #expect(try finding("NUMERIC_GREATER_THAN", #"["5"]"#, 4).why == #"level is 4, wanted > "5""#)
        #expect(
            try finding("STRING_CONTAINS", #"["a", "b"]"#, "c").why
                == #"level is "c", wanted a text that contains "a" or "b""#)
    }
}
#endif
