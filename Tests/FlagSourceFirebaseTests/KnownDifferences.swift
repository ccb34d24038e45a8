import FlagFormats
import FlagModel
import FlagSourceFirebase

/// What firebase-admin for Python reads otherwise than Swift, so that an evaluation that meets it may differ.
enum KnownDifferences {
    /// Texts by what is different about them.
    private static let texts: [String: [String]] = [
        "Swift reads ] at the start of a set as its end": ["[]x]", "[^]x]"],
        "Swift reads [: :] in a set as a class": ["[[:alpha:]]"],
        "Swift has no such escape": [#"\101"#, #"\é"#],
        "Swift repeats no comment": ["f(?#x)*oo"],
        "Python refuses flags that change nothing": ["(?-)"],
        "Python's $, and Swift's \\Z, come before a line feed at the end": [
            "a+?$", "^.{4}$", "(?m:$^\\s)", #"line2\Z"#,
        ],
        "a word has other boundaries": [#"\b"#, #"\B"#, #"\B|(\w)"#, #"(?=a)|(?m:_)|\B"#],
        "other letters, digits, spaces and ends of lines": [
            #"\d"#, #"\D+$"#, #"[\d.]+$"#, #"\W"#, #"(\Wb{,2})"#, #"[\w\s]"#, #"\s"#, ".",
        ],
        "a search could take too long": [#"(1*)?\1|(^|\d)*"#],
        "Python compares what is not a number": ["nan", "NaN", "-nan"],
        "Swift reads hexadecimal numbers": ["0x10"],
        "Swift ends a number at a zero byte": ["5\0"],
        "Python reads underscores in numbers": ["1_000", "1_0.0_1e1_0", "5_0.1"],
        "Python reads digits of all scripts": [
            "\u{1D7D3}", "\u{FF15}", "\u{665}", "\u{661}\u{660}.\u{665}", "\u{665}.12.3",
        ],
        "Python reads spaces inside of a version": ["5. 12 .3"],
        "Python reads negative numbers in versions behind what decides": ["6.-1", "5.-1", "5.12.4.-1"],
        "Swift writes large numbers with an exponent": ["9.999999999999998e+15"],
        "Python writes truth as True": ["true"],
        "firebase-admin compares numbers with numbers, which Firebase does not write": [
            "compares with a number, not with a string"
        ],
    ]

    /// Parts of texts by what is different about them.
    private static let parts: [String: [String]] = [
        "Swift has no lookbehind": ["(?<=", "(?<!"],
        "Swift has no choice by a group": ["(?("],
        "Swift has no flag a": ["(?a"],
        "Python reads numbers of any length": [
            "00000000000000000000", "11111111111111111111", "99999999999999999999",
        ],
    ]

    private static let allTexts = Set(texts.values.joined())
    private static let allParts = Set(parts.values.joined())

    /// Everything that is listed here.
    static let all = allTexts.union(allParts)

    /// What of it an evaluation meets.
    static func found(
        in template: FirebaseTemplate, _ context: TemplateContext, _ outcomes: [ParameterOutcome]
    ) -> Set<String> {
        var compared = Set(outcomes.compactMap { $0.value.text?.string })
        for condition in template.conditions {
            if case .tree(let node) = condition.rule { compared.formUnion(met(node, context)) }
        }
        return compared.intersection(allTexts).union(
            allParts.filter { part in compared.contains { $0.contains(part) } })
    }

    /// The texts that a condition compares.
    private static func met(_ node: ConditionNode, _ context: TemplateContext) -> [String] {
        switch node {
        case .anyOf(let nodes), .allOf(let nodes): return nodes.flatMap { met($0, context) }
        case .percent(let condition): return [condition.seed]
        case .customSignal(let condition):
            return condition.targets + (context[condition.key].map { [$0.text] } ?? [])
        case .unreadable(let sentence): return [sentence]
        case .always, .never: return []
        }
    }
}
