#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase

/// Texts that firebase-admin for Python reads differently than Swift. Evaluations that use them may differ.
enum KnownDifferences {
    /// Whole texts, grouped by their difference.
    private static let texts: [String: [String]] = [
        "Swift reads ] at the start of a set as its end": ["[]x]", "[^]x]"],
        "Swift reads [: :] in a set as a class": ["[[:alpha:]]"],
        "Swift has no such escape": [#"\101"#, #"\é"#],
        "Swift repeats no comment": ["f(?#x)*oo"],
        "Python refuses flags that change nothing": ["(?-)"],
        "Python's $, and Swift's \\Z, come before a line feed at the end": [
            "a+?$", "^.{4}$", "(?m:$^\\s)", #"line2\Z"#,
        ],
        "Swift has other word boundaries": [#"\b"#, #"\B"#, #"\B|(\w)"#, #"(?=a)|(?m:_)|\B"#],
        "Swift has other letters, digits, spaces and line ends": [
            #"\d"#, #"\D+$"#, #"[\d.]+$"#, #"\W"#, #"(\Wb{,2})"#, #"[\w\s]"#, #"\s"#, ".",
        ],
        "Swift rejects a search that could take too long": [#"(1*)?\1|(^|\d)*"#],
        "Python compares NaN": ["nan", "NaN", "-nan"],
        "Swift reads hexadecimal numbers": ["0x10"],
        "Swift ends a number at a zero byte": ["5\0"],
        "Python reads underscores in numbers": ["1_000", "1_0.0_1e1_0", "5_0.1"],
        "Python reads digits of all scripts": [
            "\u{1D7D3}", "\u{FF15}", "\u{665}", "\u{661}\u{660}.\u{665}", "\u{665}.12.3",
        ],
        "Python reads spaces inside of a version": ["5. 12 .3"],
        "Python reads negative numbers after the deciding part of a version": ["6.-1", "5.-1", "5.12.4.-1"],
        "Swift writes large numbers with an exponent": ["9.999999999999998e+15"],
        "Python writes true as True": ["true"],
        "firebase-admin compares with numbers, but Firebase writes only strings": [
            "compares with a number, not with a string"
        ],
    ]

    /// Substrings of texts, grouped by their difference.
    private static let parts: [String: [String]] = [
        "Swift has no lookbehind": ["(?<=", "(?<!"],
        "Swift has no conditional groups": ["(?("],
        "Swift has no flag a": ["(?a"],
        "Python reads numbers of any length": [
            "00000000000000000000", "11111111111111111111", "99999999999999999999",
        ],
    ]

    private static let allTexts = Set(texts.values.joined())
    private static let allParts = Set(parts.values.joined())

    /// All listed texts and parts.
    static let all = allTexts.union(allParts)

    /// The listed texts and parts that an evaluation uses.
    static func found(
        in template: FirebaseTemplate, _ context: TemplateContext, _ outcomes: [ParameterOutcome]
    ) -> Set<String> {
        var compared = Set(outcomes.compactMap { $0.value.text?.string })
        for condition in template.conditions {
            if case .tree(let node) = condition.rule { compared.formUnion(comparedTexts(node, context)) }
        }
        return compared.intersection(allTexts).union(
            allParts.filter { part in compared.contains { $0.contains(part) } })
    }

    /// The texts that a condition compares.
    private static func comparedTexts(_ node: ConditionNode, _ context: TemplateContext) -> [String] {
        switch node {
        case .anyOf(let nodes), .allOf(let nodes): return nodes.flatMap { comparedTexts($0, context) }
        case .percent(let condition): return [condition.seed]
        case .customSignal(let condition):
            return condition.targets + (context[condition.key].map { [$0.signalText] } ?? [])
        case .unreadable(let sentence): return [sentence]
        case .always, .never: return []
        }
    }
}
#endif
