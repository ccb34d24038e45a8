#if Network
import FlagFormats
import FlagModel
import FlagRemote
import Testing

@testable import FlagSourceFirebase

@Suite struct FirebaseProjectTests {
    @Test func `versions are requested at once`() throws {
        let token = Secret("ya29.secret")
        let request = try FirebaseTemplates(of: "shop", authorization: FirebaseAuthorization(.token(token)))
            .versionsRequest(token, count: 300)
        let home = "https://firebaseremoteconfig.googleapis.com/v1/projects/shop"
        #expect(request.url.text == "\(home)/remoteConfig:listVersions?pageSize=300")
        func list(_ text: String) throws -> [Int?] {
            try TemplateVersion.list(SourceResponse(status: 200, body: Array(text.utf8))).map(\.number)
        }
        #expect(try list(#"{"versions": [{"versionNumber": "28"}, {"versionNumber": "27"}]}"#) == [28, 27])
        #expect(try list("{}") == [])
        #expect(throws: DocumentError.self) { try list("[]") }
    }

    private static let text = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {"menu": {"defaultValue": {"value": "old"}, "later": {"x": [1, 2]}}},
         "parameterGroups": {"G": {"parameters": {"deep": {"valueType": "STRING"}}}},
         "future": true, "version": {"versionNumber": "28"}}
        """

    private func response(_ text: String = text, etag: String? = "etag-shop-28") throws -> TemplateResponse {
        let headers = SourceHeaders(etag.map { [("ETag", $0)] } ?? [])
        return try TemplateResponse(SourceResponse(status: 200, headers: headers, body: Array(text.utf8)))
    }

    @Test func `draft preserves unknown members`() throws {
        var draft = try TemplateDraft(try response(), details: "Proven by hand")
        try draft.set("menu", to: "new")
        try draft.set("menu", to: "i", under: "ios")
        try draft.set("deep", to: "d")
        let root = try JSONDocument(parsing: draft.bytes).root
        #expect(root["future"]?.bool == true)
        #expect(root["version"]?.source == #"{"description":"Proven by hand"}"#)
        #expect(
            root["parameters"]?.source
                == #"{"menu":{"defaultValue":{"value":"new"},"later":{"x": [1, 2]},"#
                + #""conditionalValues":{"ios":{"value":"i"}}}}"#)
        #expect(
            root["parameterGroups"]?.source
                == #"{"G":{"parameters":{"deep":{"valueType":"STRING","defaultValue":{"value":"d"}}}}}"#)
        #expect(
            try draft.differences() == [
                TemplateDifference(kind: .value, key: "deep", new: .text("d")),
                TemplateDifference(kind: .value, key: "menu", old: .text("old"), new: .text("new")),
                TemplateDifference(kind: .value, key: "menu", condition: "ios", new: .text("i")),
            ])
    }

    /// A value that only Firebase decides has no text. Replacing it ends it for all users.
    @Test(arguments: [
        (#"{"rolloutValue": {"rolloutId": "r", "value": "true", "percent": 10}}"#, "rollout"),
        (#"{"personalizationValue": {"personalizationId": "p"}}"#, "personalization"),
        (#"{"experimentValue": {"experimentId": "e", "variantValue": []}}"#, "experiment"),
        (#"{"laterValue": {}}"#, "unknown form"),
    ])
    func `replacing a value that Firebase decides is a difference`(value: String, form: String) throws {
        let text =
            #"{"conditions": [{"name": "c", "expression": "x"}], "parameters": {"a": {"defaultValue": \#(value), "#
            + #""conditionalValues": {"c": \#(value)}}}}"#
        for condition in [nil, "c"] as [FlagText?] {
            var draft = try TemplateDraft(try response(text))
            try draft.set("a", to: "true", under: condition)
            let difference = try #require(try draft.differences().first)
            #expect(try draft.differences().count == 1)
            let old = difference.old
            #expect(
                difference
                    == TemplateDifference(kind: .value, key: "a", condition: condition, old: old, new: .text("true")))
            #expect(old.form == form && old.isEvaluatedByFirebase)
        }
    }

    @Test func `restoring an old version uses the newest ETag`() throws {
        let text = """
            {"conditions": [{"name": "tv", "expression": "x"}, {"name": "ios", "expression": "device.os == 'ipados'"}],
             "parameters": {"menu": {"defaultValue": {"value": "older"}, "later": {"x": [1, 2]}, "description": "D"},
               "gone": {"defaultValue": {"useInAppDefault": true}}}, "etag": "e", "version": {"versionNumber": "3"}}
            """
        let old = try TemplateResponse(SourceResponse(status: 200, body: Array(text.utf8)))
        let draft = try TemplateDraft(try response(), replacedBy: old.bytes, details: "Back")
        #expect(draft.etag == "etag-shop-28")
        let root = try JSONDocument(parsing: draft.bytes).root
        #expect(root["version"]?.source == #"{"description":"Back"}"# && root["etag"] == nil)
        #expect(
            try draft.differences() == [
                TemplateDifference(kind: .value, key: "menu", old: .text("old"), new: .text("older")),
                TemplateDifference(kind: .parameter, key: "menu"),
                TemplateDifference(kind: .value, key: "gone", new: .inAppDefault),
                TemplateDifference(kind: .parameter, key: "deep"),
                TemplateDifference(kind: .condition, condition: "tv", new: .text("x")),
                TemplateDifference(
                    kind: .condition, condition: "ios", old: .text("device.os == 'ios'"),
                    new: .text("device.os == 'ipados'")),
                TemplateDifference(kind: .other, key: "future"),
                TemplateDifference(kind: .other, key: "parameterGroups"),
            ])
    }

    @Test func `order and color of conditions are differences`() throws {
        func bytes(_ conditions: String) -> [UInt8] { Array(#"{"conditions": [\#(conditions)]}"#.utf8) }
        let (a, b) = (#"{"name": "a", "expression": "x"}"#, #"{"name": "b", "expression": "y"}"#)
        let blue = #"{"name": "b", "expression": "y", "tagColor": "BLUE"}"#
        #expect(
            try TemplateDifference.between(bytes("\(a), \(b)"), bytes("\(b), \(a)")) == [
                TemplateDifference(kind: .order, old: .text("a, b"), new: .text("b, a"))
            ])
        #expect(
            try TemplateDifference.between(bytes("\(a), \(b)"), bytes("\(a), \(blue)")) == [
                TemplateDifference(kind: .other, key: "conditions")
            ])
        #expect(try TemplateDifference.between(bytes(a), bytes(" \(a) ")).isEmpty)
        #expect(throws: DocumentError.self) { try TemplateDifference.between(bytes(a), [0x7B]) }
    }

    @Test func `unknown parameter or condition is an error`() throws {
        var draft = try TemplateDraft(try response())
        #expect(throws: TemplateDraft.DraftError.unknownParameter("gone")) { try draft.set("gone", to: "x") }
        #expect(throws: TemplateDraft.DraftError.unknownCondition("tv")) {
            try draft.set("menu", to: "x", under: "tv")
        }
        #expect(try draft.differences().isEmpty)
    }

    @Test func `draft needs an ETag`() throws {
        let response = try response(etag: nil)
        #expect(throws: TemplateDraft.DraftError.unknownState) { try TemplateDraft(response) }
    }
}
#endif
