#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Foundation
import Testing

/// Compares evaluations with those that firebase-admin 7.5 wrote into the folder `Vectors`.
@Suite struct VectorTests {
    /// The number of pairs of a template and a context in the file. A shorter file would check less.
    private static let pairCount = 12_007
    /// The number of pairs whose result differs because of a known difference.
    private static let knownCount = 1_023

    @Test func `evaluations match firebase-admin except known differences`() throws {
        var (pairs, knownPairs, wrong) = (0, 0, [String]())
        let knownDifferences = try KnownDifferences()
        var usedDifferences: Set<String> = []
        let lines = try Self.bytes("evaluations.jsonl").split(separator: UInt8(ascii: "\n"))
        for (place, line) in lines.enumerated().dropFirst() {
            let vector = try JSONDocument(parsing: Array(line)).root
            let template = try FirebaseTemplate(parsing: Array(try #require(vector["template"]).source.utf8))
            for pair in try #require(vector["cases"]).elements {
                let (object, response) = (Array(pair.elements)[0], Array(pair.elements)[1])
                let signals = object.members.map { ($0.key, ContextValue(signal: $0.value)) }
                let context = TemplateContext(
                    signals: Dictionary(uniqueKeysWithValues: signals).compactMapValues { $0 })
                let conditions = template.conditions(in: context)
                let outcomes = template.outcomes(whereHold: Set(conditions.filter(\.applies).map(\.name)))
                pairs += 1
                guard let reason = Self.reason(template, conditions, outcomes, response) else { continue }
                let differences = knownDifferences.found(in: template, context, outcomes)
                usedDifferences.formUnion(differences)
                knownPairs += differences.isEmpty ? 0 : 1
                if differences.isEmpty { wrong.append("\(reason) in \(object.source) of line \(place + 1)") }
            }
        }
        #expect(pairs == Self.pairCount)
        #expect(wrong.isEmpty, "\(wrong.count) wrong, such as\n\(wrong.prefix(8).joined(separator: "\n"))")
        #expect(knownPairs == Self.knownCount)
        #expect(usedDifferences == knownDifferences.all, "remove the known differences that no pair has any more")
    }

    /// The content of a file in the folder `Vectors`.
    fileprivate static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appending(path: "Vectors/\(name)")))
    }

    private static func reason(
        _ template: FirebaseTemplate, _ conditions: [RemoteCondition], _ outcomes: [ParameterOutcome],
        _ response: JSONValue
    ) -> String? {
        guard response.kind == .array else {
            // An error of firebase-admin must be an issue here, or an unsupported regular expression.
            let isUnsupported = conditions.contains { $0.result == .unknown }
            return template.issues.isEmpty && !isUnsupported ? "\(response.source) expected, none found" : nil
        }
        for (parameter, (outcome, expected)) in zip(template.parameters, zip(outcomes, response.elements))
        where !isSame(outcome.value, expected) {
            return "\(parameter.key): \(expected.source) expected, found \(outcome.value)"
        }
        return outcomes.count == response.count ? nil : "another number of parameters"
    }

    private static func isSame(_ value: ParameterValue, _ expected: JSONValue) -> Bool {
        switch expected.kind {
        case .string: value.text == expected.text
        case .null: value.isEvaluatedByFirebase
        // The app's own value, or no value.
        default: value == .inAppDefault || value == .absent
        }
    }
}

/// Texts that firebase-admin for Python reads differently than Swift, from the folder `Vectors`, which groups them by
/// their difference. Evaluations that use them may differ.
private struct KnownDifferences {
    private let texts: Set<String>
    /// Substrings of texts.
    private let parts: Set<String>

    init() throws {
        let root = try JSONDocument(parsing: VectorTests.bytes("known-differences.json")).root
        func texts(_ name: String) -> Set<String> {
            Set(root[name].map { $0.members.flatMap { $0.value.elements.compactMap { $0.text?.string } } } ?? [])
        }
        (self.texts, parts) = (texts("texts"), texts("parts"))
    }

    /// All listed texts and parts.
    var all: Set<String> { texts.union(parts) }

    /// The listed texts and parts that an evaluation uses.
    func found(
        in template: FirebaseTemplate, _ context: TemplateContext, _ outcomes: [ParameterOutcome]
    ) -> Set<String> {
        var compared = Set(outcomes.compactMap { $0.value.text?.string })
        for condition in template.conditions {
            if case .tree(let node) = condition.rule { compared.formUnion(Self.comparedTexts(node, context)) }
        }
        return compared.intersection(texts).union(parts.filter { part in compared.contains { $0.contains(part) } })
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
