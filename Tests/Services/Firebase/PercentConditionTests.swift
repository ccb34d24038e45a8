#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct PercentConditionTests {
    /// The table of the SDKs' tests; the percentiles are recomputed with SHA-256.
    @Test(arguments: [
        ("1", "one", 64_146_488), ("2", "two", 76_516_209), ("3", "three", 6_701_947), ("4", "four", 85_000_289),
        ("5", "five", 2_514_745), ("", "\u{1F60A}", 9_911_325), ("", "\u{1F600}", 62_040_281),
        ("hêl£o", "wørlÐ", 67_411_682), ("řemøťe", "çōnfįġ", 19_728_496),
        ("long", String(repeating: ".", count: 100), 39_278_120),
        ("very-long", String(repeating: ".", count: 1000), 71_699_042), ("rollout", "user-1", 77_969_133),
    ])
    func `percentile is the hash of seed and ID`(seed: String, id: String, micro: Int) {
        #expect(Percentile.micro(seed: seed, id: id) == micro)
    }

    /// The bounds within which the SDKs' tests expect 100,000 random ids.
    @Test func `ten percent of many clients are selected`() {
        let count = (0..<100_000).count {
            Percentile.micro(seed: "", id: "client-\($0)").map { $0 <= 10_000_000 } == true
        }
        #expect((10_000 - 284...10_000 + 284).contains(count))
    }

    private func finding(_ percent: String, id: String? = "user-1") throws -> ConditionFinding {
        try Templates.finding(#"{"percent": {\#(percent)}}"#, TemplateContext(randomizationID: id))
    }

    @Test func `upper bound is included`() throws {
        let at = #""percentOperator": "LESS_OR_EQUAL", "seed": "rollout", "microPercent": 77969133"#
        #expect(try finding(at).applies)
        let below = #""percentOperator": "LESS_OR_EQUAL", "seed": "rollout", "microPercent": 77969132"#
        #expect(try !finding(below).applies)
        let above = #""percentOperator": "GREATER_THAN", "seed": "rollout", "microPercent": 77969133"#
        #expect(try !finding(above).applies)
    }

    @Test func `range excludes its lower bound`() throws {
        func range(_ lower: Int, _ upper: Int) -> String {
            #""percentOperator": "BETWEEN", "seed": "rollout", "microPercentRange": "#
                + #"{"microPercentLowerBound": \#(lower), "microPercentUpperBound": \#(upper)}"#
        }
        #expect(try finding(range(77_969_132, 77_969_133)).applies)
        #expect(try !finding(range(77_969_133, 100_000_000)).applies)
    }

    @Test func `reason names percentile seed and bound`() throws {
        let found = try finding(#""percentOperator": "LESS_OR_EQUAL", "seed": "rollout", "microPercent": 10000000"#)
        #expect(found.why == #"the percentile with the seed "rollout" is 77.969133 %, wanted <= 10 %"#)
    }

    @Test(arguments: [nil, ""])
    func `percent condition never applies without an ID`(id: String?) throws {
        let found = try finding(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 100000000"#, id: id)
        #expect(found.why == "the context has no randomization id")
        #expect(!found.applies)
    }
}

/// Small templates.
enum Templates {
    /// A template with one condition `c` and one parameter `p`, which is `yes` under it.
    static func template(_ condition: String) throws -> FirebaseTemplate {
        let text = """
            {"conditions": [{"name": "c", "condition": \(condition)}],
             "parameters": {"p": {"defaultValue": {"value": "no"}, "conditionalValues": {"c": {"value": "yes"}}}}}
            """
        return try FirebaseTemplate(parsing: Array(text.utf8))
    }

    static func finding(_ condition: String, _ context: TemplateContext) throws -> ConditionFinding {
        let template = try template(condition)
        let found = context.finding(template.conditions[0].rule)
        #expect(RemoteDocument(template.flags(in: context)).values["p"] == (found.applies ? "yes" : "no"))
        return found
    }
}

extension ConditionFinding {
    /// Whether the condition applies; `false` if the result is unknown.
    var applies: Bool { result == .applies }
}
#endif
