#if Network
import FlagFormats
import FlagModel
import FlagSourceFirebase
import Testing
import VendorServers

@Suite struct TemplateFlagsTests {
    private func document(_ applying: Set<FlagText>) throws -> RemoteDocument {
        let template = try FirebaseTemplate(parsing: Array(SampleTemplates.client.utf8))
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

    @Test(
        arguments: [([], "false", "default value"), (["ios"], "true", "condition ios")]
            as [(Set<FlagText>, FlagText, FlagText)])
    func `value and note follow the applying conditions`(
        applying: Set<FlagText>, value: FlagText, note: FlagText
    ) throws {
        let snapshot = RemoteSnapshot(documents: [try document(applying)])
        #expect(snapshot.values["menu"] == value && snapshot.note(of: "menu") == note)
        #expect(snapshot.note(of: "limit") == nil, "it is the same for all clients")
    }

    @Test func `note explains an in-app default`() throws {
        let snapshot = RemoteSnapshot(documents: [try document([])])
        #expect(snapshot.values["color"] == nil && snapshot.source(of: "color") == nil)
        #expect(snapshot.note(of: "color") == "the default value leaves it to the app")
    }
}
#endif
