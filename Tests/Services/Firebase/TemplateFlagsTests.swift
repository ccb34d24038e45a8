#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing

@Suite struct TemplateFlagsTests {
    private static let text = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {
            "menu": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "description": "The new menu",
              "conditionalValues": {"ios": {"value": "true"}}},
            "color": {"defaultValue": {"useInAppDefault": true}, "conditionalValues": {
              "ios": {"rolloutValue": {"rolloutId": "r", "value": "red", "percent": 10}}}}},
         "parameterGroups": {"Shop": {"parameters": {"limit": {"valueType": "NUMBER", "defaultValue": {"value": "3"}}}}}}
        """

    private func document(_ applying: Set<FlagText>) throws -> RemoteDocument {
        let template = try FirebaseTemplate(parsing: Array(Self.text.utf8))
        return RemoteDocument(template.flags(whereHold: applying))
    }

    @Test func `groups become categories and values options`() throws {
        let catalog = try #require(try document([]).catalog)
        #expect(catalog.categories.map(\.name) == ["Shop", "Parameters"])
        let menu = try #require(catalog.item("menu"))
        #expect(menu.details == "The new menu")
        #expect(menu.declaredType == .bool)
        #expect(menu.options == [FlagOption(value: "true", label: "ios"), FlagOption(value: "false")])
        #expect(catalog.item("color")?.options == [FlagOption(value: "red", label: "ios, rollout")])
    }

    @Test func `values follow the applying conditions`() throws {
        #expect(try document([]).values["menu"] == "false")
        #expect(try document(["ios"]).values["menu"] == "true")
        #expect(try document([]).values["color"] == nil)
    }

    @Test func `note names the deciding condition`() throws {
        let snapshot = RemoteSnapshot(documents: [try document(["ios"])])
        #expect(snapshot.note(of: "menu") == "condition ios")
        #expect(snapshot.note(of: "limit") == nil)
        #expect(RemoteSnapshot(documents: [try document([])]).note(of: "menu") == "default value")
    }

    @Test func `note explains an in app default`() throws {
        let snapshot = RemoteSnapshot(documents: [try document([])])
        #expect(snapshot.source(of: "color") == nil)
        #expect(snapshot.note(of: "color") == "the default value leaves it to the app")
    }
}
#endif
