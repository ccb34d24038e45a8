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
        var (pairs, errors, knownPairs, wrong) = (0, 0, 0, [String]())
        var usedDifferences: Set<String> = []
        for (place, line) in try Self.lines().enumerated().dropFirst() {
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
                errors += response.kind == .string ? 1 : 0
                guard let reason = Self.reason(template, conditions, outcomes, response) else { continue }
                let differences = KnownDifferences.found(in: template, context, outcomes)
                usedDifferences.formUnion(differences)
                knownPairs += differences.isEmpty ? 0 : 1
                if differences.isEmpty { wrong.append("\(reason) in \(object.source) of line \(place + 1)") }
            }
        }
        print(
            "\(pairs) pairs of templates and contexts replayed, \(errors) of them errors, \(knownPairs) known to differ"
        )
        #expect(pairs == Self.pairCount)
        #expect(wrong.isEmpty, "\(wrong.count) wrong, such as\n\(wrong.prefix(8).joined(separator: "\n"))")
        #expect(knownPairs == Self.knownCount)
        #expect(usedDifferences == KnownDifferences.all, "remove the known differences that no pair has any more")
    }

    private static func lines() throws -> [ArraySlice<UInt8>] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/evaluations.jsonl")
        return Array(try Data(contentsOf: file)).split(separator: UInt8(ascii: "\n"))
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
#endif
