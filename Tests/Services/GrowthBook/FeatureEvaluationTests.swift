#if Network
import FlagModel
import Foundation
import FlagSourceGrowthBook
import Testing

/// GrowthBook: evaluation of rules.
struct FeatureEvaluationTests {
    private func document(_ feature: String, _ attributes: String) throws -> RemoteDocument {
        let context = try #require(ContextAttributes(try JSONDocument(parsing: Array(attributes.utf8)).root))
        return try GrowthBookFlags.document(
            Array("{\"features\": {\"feature\": \(feature)}}".utf8), attributes: context)
    }

    /// The values in the file are those of GrowthBook's client for Python (`growthbook` 4.0.0), by attributes.
    @Test func `features have the values that GrowthBook's own client gives them`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/features.json")
        let vectors = try JSONDocument(parsing: Array(try Data(contentsOf: file))).root
        var count = 0
        for vector in vectors.elements {
            let feature = try #require(vector["feature"]?.source)
            for pair in try #require(vector["values"]).elements {
                let parts = Array(pair.elements)
                try #require(parts.count == 2)
                let document = try document(feature, parts[0].source)
                let value = document.values["feature"]?.string
                #expect(value == parts[1].flagText?.string, "\(feature) for \(parts[0].source)")
                #expect(document.issues.isEmpty, "\(document.issues)")
                count += 1
            }
        }
        #expect(count > 150, "the vectors are read")
    }

    private func reason(_ rule: String, _ attributes: String) throws -> String {
        let feature = #"{"defaultValue": "d", "rules": [\#(rule), {"force": "later"}]}"#
        let document = try document(feature, attributes)
        #expect(document.values.isEmpty, "\(rule) for \(attributes)")
        let issues = document.issues.map(\.description)
        #expect(issues.count == 1 && issues[0].hasPrefix(#"the feature "feature" was not evaluated: rule 1 "#))
        #expect(document.notes["feature"]?.string.hasPrefix("not evaluated: rule 1 ") == true)
        #expect(document.catalog?.item("feature")?.options.contains { $0.value == "later" } == true)
        return issues.first ?? ""
    }

    @Test(arguments: [
        (#"{"parentConditions": [{"id": "p", "condition": {"value": true}}], "force": 1}"#, "has prerequisites"),
        (#"{"condition": {"id": {"$inGroup": "g"}}, "force": 1}"#, "$inGroup"),
        (#"{"condition": {"$savedGroup": {"id": "g"}}, "force": 1}"#, "$savedGroup"),
        (#"{"contextualBanditRef": "b", "contextualVariations": [1, 2]}"#, "contextual bandit"),
        (#"{"condition": {"a": {"$alli": ["b"]}}, "force": 1}"#, "$alli"),
        (#"{"condition": {"id": {"$regex": "^u[0-9]+"}}, "force": 1}"#, "regular expression"),
        (#"{"condition": {"id": {"$regex": "a\\b"}}, "force": 1}"#, "regular expression"),
        (#"{"condition": 3, "force": 1}"#, "not an object"),
        (#"{"namespace": {"id": "n"}, "variations": [1, 2]}"#, "namespace"), ("3", "not an object"),
        (#"{"coverage": "1", "force": 1}"#, "coverage"), (#"{"key": 3, "variations": [1, 2]}"#, "key"),
        (#"{"hashAttribute": "list", "coverage": 0.5, "force": 1}"#, "\"list\""),
    ])
    func `a rule that is not supported gives a warning and no value`(rule: String, words: String) throws {
        let reason = try reason(rule, #"{"id": "u1", "list": ["a"]}"#)
        #expect(reason.contains(words), "\(reason)")
    }

    /// Cases of `evalCondition` in `packages/sdk-js/test/cases.json` of growthbook/growthbook that convert values.
    @Test(arguments: [
        (#"{"age": {"$gt": -10, "$lt": 10, "$gte": -9, "$lte": 9, "$ne": 10}}"#, "{}", true),
        (#"{"n": {"$gt": 5, "$lt": 10}}"#, #"{"n": "8"}"#, true),
        (#"{"n": {"$gt": "5", "$lt": "10"}}"#, #"{"n": 8}"#, true),
        (#"{"num": {"$in": 1}}"#, #"{"num": 1}"#, false),
        (#"{"word": {"$gt": "alphabet", "$lt": "zebra"}}"#, #"{"word": "AZL"}"#, false),
        (#"{"nums": {"$elemMatch": {"$gt": 10}}}"#, #"{"nums": [0, 5, -20, 15]}"#, true),
        (#"{"nums": {"$elemMatch": {"$gt": 10}}}"#, #"{"nums": [0, 5, -20, 8]}"#, false),
        (#"{"address.state": "CA"}"#, #"{"address": 123}"#, false), (#"{"$or": []}"#, "{}", true),
        (#"{"a": {"$type": "null"}}"#, #"{"a": null}"#, true),
        (#"{"pets.dog.name": {"$exists": false}}"#, #"{"hello": "world"}"#, true),
    ])
    func `a condition compares values as in GrowthBook's published cases`(
        condition: String, attributes: String, applies: Bool
    ) throws {
        let feature = #"{"defaultValue": "d", "rules": [{"condition": \#(condition), "force": "f"}]}"#
        let document = try document(feature, attributes)
        #expect(document.values["feature"]?.string == (applies ? "f" : "d"), "\(condition) for \(attributes)")
        #expect(document.issues.isEmpty, "\(document.issues)")
    }

    @Test func `a user exactly at the end of a coverage is included, as in GrowthBook's SDK for JavaScript`() throws {
        // `hash("feature", "user-1", 1)` is 0.978.
        let document = try document(
            #"{"defaultValue": 0, "rules": [{"coverage": 0.978, "force": 1}]}"#, #"{"id": "user-1"}"#)
        #expect(document.values["feature"] == "1")
    }

    @Test func `a rule that does not apply is skipped, even if other parts of the rule are not supported`() throws {
        let rules = [
            #"{"condition": {"plan": "pro", "id": {"$inGroup": "g"}}, "force": 1}"#,
            #"{"condition": {"plan": "pro"}, "contextualBanditRef": "b", "contextualVariations": [1, 2]}"#,
            #"{"condition": {"$or": [{"plan": "pro"}, {"age": {"$gt": 18}}]}, "force": 1}"#,
        ]
        for rule in rules {
            let feature = #"{"defaultValue": "d", "rules": [\#(rule)]}"#
            let document = try document(feature, #"{"id": "u1", "plan": "free"}"#)
            #expect(document.values["feature"] == "d" && document.issues.isEmpty, "\(rule): \(document.issues)")
        }
    }
}
#endif
