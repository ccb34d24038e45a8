import FlagFormats
import FlagModel
import TestSupport
import Testing

/// The catalog of the flags that code declares, as a template for Firebase.
@Suite struct DeclaredCatalogTests {
    private func read(_ catalog: DeclaredCatalog) throws -> RemoteSnapshot {
        RemoteSnapshot(documents: [try RemoteDocument(ofAnyFormat: catalog.text.bytes)])
    }

    @Test func `the template has a parameter for each flag, and the catalog`() throws {
        let catalog = DeclaredCatalog(of: [
            DeclaredFlag(
                key: "theme", type: .string, defaultValue: "dark",
                facts: DeclaredFlag.Facts(
                    title: "Theme", description: "How it looks.", group: "Look", owner: "ana", expires: "2027-01-31",
                    options: ["light", "dark", "a|b"])),
            DeclaredFlag(key: "dark", type: .bool, defaultValue: "true"),
        ])
        #expect(catalog.warnings == [])
        let expected = #"""
            {
              "parameters": {
                "dark": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"},
                "theme": {"defaultValue": {"value": "dark"}, "description": "How it looks.", "valueType": "STRING"},
                "config_categories": {
                  "defaultValue": {
                    "value": "[{\"category\":\"Look\",\"items\":[{\"key\":\"theme\",\"value\":\"light|dark|a\\\\|b\",\"title\":\"Theme\",\"description\":\"How it looks.\",\"type\":\"string\",\"owner\":\"ana\",\"expires\":\"2027-01-31\"}]},{\"category\":\"Other\",\"items\":[{\"key\":\"dark\",\"value\":\"true|false\",\"type\":\"bool\"}]}]"
                  },
                  "description": "The flags that flagmenu lists, by category.", "valueType": "JSON"
                }
              }
            }
            """#
        #expect(catalog.text == JSONSpacing.indented(expected).map { $0 + "\n" })
        let snapshot = try read(catalog)
        #expect(snapshot.issues.isEmpty)
        #expect(snapshot.values == ["dark": "true", "theme": "dark"])
        #expect(snapshot.catalog.item("theme")?.options.map(\.value) == ["light", "dark", "a|b"])
    }

    @Test func `a type survives that Firebase does not have`() throws {
        let types: [FlagType] = [.bool, .int, .double, .string, .json]
        let flags = types.map { DeclaredFlag(key: $0.rawValue, type: $0, defaultValue: "1") }
        let snapshot = try read(DeclaredCatalog(of: flags))
        #expect(types.map { snapshot.type(of: FlagText($0.rawValue)) } == types)
    }

    @Test func `what Firebase or a catalog cannot express is reported`() throws {
        let options = DeclaredFlag.Facts(options: ["a\\", "b"])
        let catalog = DeclaredCatalog(of: [
            DeclaredFlag(key: "", type: .bool, defaultValue: "true"),
            DeclaredFlag(key: "ads.top", type: .int, defaultValue: "1"),
            DeclaredFlag(key: "no_text", type: .json, defaultValue: nil),
            DeclaredFlag(key: "path", type: .string, defaultValue: "b", facts: options),
        ])
        #expect(
            catalog.warnings == [
                #"The flag "" was left out: a catalog cannot list its key."#,
                #"The options of "path" were left out: one ends with a backslash, which a list cannot express."#,
                #"Firebase does not accept the key "ads.top": it needs letters, digits and _, and no digit at the start."#,
            ])
        let snapshot = try read(catalog)
        #expect(snapshot.catalog.items.map(\.key.string) == ["ads.top", "no_text", "path"])
        #expect(snapshot.values == ["ads.top": "1", "path": "b"])
        #expect(snapshot.catalog.item("path")?.options == [])
    }

    @Test(arguments: [[], ["a"], ["a", "b"], ["a|b", "", "\\|"], ["x", "ends\\"]])
    func `options are read as they were written`(options: [String]) throws {
        let text = try #require(FlagOption.text(of: options))
        #expect(FlagOption.list(in: FlagText(text)).map(\.value) == options)
    }

    @Test(
        .enabled(if: Fixtures.exists("firebase"), "the folder of fixtures is not beside the package"),
        arguments: [
            "config_categories/blog-example.json", "config_categories/remote-map.json",
            "firebase/fittoday.template.json", "firebase/garage.template.json",
        ])
    func `the catalog of a document's flags has the same flags`(path: String) throws {
        let document = try RemoteDocument(ofAnyFormat: try Fixtures.bytes(path))
        let flags = CodeDeclarations(of: RemoteSnapshot(documents: [document])).flags
        #expect(!flags.isEmpty)
        #expect(CodeDeclarations(of: try read(DeclaredCatalog(of: flags))).flags == flags)
    }
}
