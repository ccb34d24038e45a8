import FlagFormats
import FlagModel
import FlagSourceFirebase
import Foundation
import Testing

/// What firebase-admin says to thousands of templates and contexts, made by .github/scripts/firebase-vectors.py.
@Suite struct VectorTests {
    /// The file has this many; a shorter one would prove less than it seems to.
    private static let pairCount = 12_007
    /// As many meet something that Swift reads otherwise, and come out otherwise.
    private static let knownCount = 1_023

    @Test func everyEvaluationIsWhatFirebaseAdminSaysUnlessTheDifferenceIsKnown() throws {
        var (pairs, errors, known, wrong) = (0, 0, 0, [String]())
        var met: Set<String> = []
        for (place, line) in try Self.lines().enumerated().dropFirst() {
            let vector = try JSONDocument(parsing: Array(line)).root
            let template = try FirebaseTemplate(parsing: Array(try #require(vector["template"]).source.utf8))
            for pair in try #require(vector["cases"]).elements {
                let (object, answer) = (Array(pair.elements)[0], Array(pair.elements)[1])
                let signals = object.members.map { ($0.key, SignalValue($0.value)) }
                let context = TemplateContext(
                    signals: Dictionary(uniqueKeysWithValues: signals).compactMapValues { $0 })
                let conditions = template.conditions(in: context)
                let outcomes = template.outcomes(whereHold: Set(conditions.filter(\.holds).map(\.name)))
                pairs += 1
                errors += answer.kind == .string ? 1 : 0
                guard let complaint = Self.complaint(template, conditions, outcomes, answer) else { continue }
                let differences = KnownDifferences.found(in: template, context, outcomes)
                met.formUnion(differences)
                known += differences.isEmpty ? 0 : 1
                if differences.isEmpty { wrong.append("\(complaint) in \(object.source) of line \(place + 1)") }
            }
        }
        print("\(pairs) pairs of templates and contexts replayed, \(errors) of them errors, \(known) known to differ")
        #expect(pairs == Self.pairCount)
        #expect(wrong.isEmpty, "\(wrong.count) wrong, such as\n\(wrong.prefix(8).joined(separator: "\n"))")
        #expect(known == Self.knownCount)
        #expect(met == KnownDifferences.all, "what is listed and makes no difference any more is to be removed")
    }

    private static func lines() throws -> [ArraySlice<UInt8>] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/evaluations.jsonl")
        return Array(try Data(contentsOf: file)).split(separator: UInt8(ascii: "\n"))
    }

    private static func complaint(
        _ template: FirebaseTemplate, _ conditions: [RemoteCondition], _ outcomes: [ParameterOutcome],
        _ answer: JSONValue
    ) -> String? {
        guard answer.kind == .array else {
            // What ends firebase-admin is noted here, or a regular expression that nobody reads.
            let isUndecided = conditions.contains { $0.verdict == .unknown }
            return template.problems.isEmpty && !isUndecided ? "\(answer.source) expected, none found" : nil
        }
        for (parameter, (outcome, expected)) in zip(template.parameters, zip(outcomes, answer.elements))
        where !isSame(outcome.value, expected) {
            return "\(parameter.key): \(expected.source) expected, found \(outcome.value)"
        }
        return outcomes.count == answer.count ? nil : "another number of parameters"
    }

    private static func isSame(_ value: ParameterValue, _ expected: JSONValue) -> Bool {
        switch expected.kind {
        case .string: value.text == expected.text
        case .null: value.isDecidedByFirebase
        // The app's own value, or none where it has none.
        default: value == .inAppDefault || value == .absent
        }
    }
}
