import FlagModel
import TestSupport
import Testing

private func document(_ text: String) throws -> RemoteDocument {
    try RemoteDocument(parsing: text.bytes)
}

@Suite struct RemoteValuesTests {
    @Test func `malformed catalog leaves the values`() throws {
        let remote = try document(#"{"a":"1","config_categories":"[{\"category\":\"C\",\n  \"items\":[}]"}"#)
        #expect(remote.values == ["a": "1"] && remote.catalog == nil && remote.isCatalogMalformed)
        #expect(
            remote.issues.map(\.description) == [
                "in the text of config_categories, line 2, column 12: expected a value or ']', found '}'"
            ])
        let lastGood = try document(#"{"config_categories":[{"category":"Old","items":[{"key":"a"}]}]}"#)
        #expect(remote.keepingCatalog(of: lastGood).catalog?.categories.map(\.name.string) == ["Old"])
        #expect(try document("{}").keepingCatalog(of: lastGood).catalog == nil)
    }

    @Test(arguments: [
        (#"{"config_categories":7}"#, "line 1, column 22: the catalog is a number; expected an array of categories"),
        (
            #"{"config_categories":"{}"}"#,
            "in the text of config_categories: the catalog is an object; expected an array of categories"
        ),
    ])
    func `catalog of another shape is reported`(_ text: String, _ issue: String) throws {
        let remote = try document(text)
        #expect(remote.issues.map(\.description) == [issue] && remote.catalog == nil)
    }

    @Test(arguments: [
        ("7", "the document is a number; expected an object or an array"),
        ("\"x\"", "the document is a string; expected an object or an array"),
        ("{\n\"a\"}", "line 2, column 4: expected ':' after the key, found '}'"),
        (#"{"a":1,"a":2}"#, #"line 1, column 8: duplicate key "a""#),
    ])
    func `invalid document is rejected`(_ text: String, _ sentence: String) {
        let error = #expect(throws: DocumentError.self) { try document(text) }
        #expect(error?.description == sentence)
    }
}

@Suite struct CatalogReaderTests {
    @Test func `one required key stands alone, and null and unknown members have no meaning`() throws {
        let remote = try document(
            #"[{"category":"A","description":"D","x":1,"items":[{"key":"l","requires":"k","title":null,"y":{}}]}]"#)
        let item = try #require(remote.catalog?.item("l"))
        #expect(remote.kind == .catalogOnly && remote.issues.isEmpty && remote.values.isEmpty)
        #expect(item.requires == ["k"] && item.name == "l" && item.options == [])
        #expect(remote.catalog?.categories.map(\.details) == ["D"])
    }

    @Test func `only malformed parts are left out`() throws {
        let remote = try document(
            """
            [{"category": "A", "items": [
            {"title": "no key"},
            {"key": 7},
            {"key": "a", "value": true, "title": 1, "type": "colour", "requires": [1, "b"], "restart": "yes"},
            "a",
            {"key": "b"},
            {"key": "a"}]},
            7,
            {"items": [{"key": "c"}]},
            {"category": "D"},
            {"category": "E", "description": [], "items": {}}]
            """)
        #expect(remote.catalog?.items.map(\.key.string) == ["a", "b", "c"])
        #expect(remote.catalog?.categories.map(\.name.string) == ["A", "Other", "D", "E"])
        #expect(remote.catalog?.item("a")?.requires == ["b"])
        #expect(
            remote.issues.map(\.description) == [
                #"line 2, column 1: an item without a string "key" was left out"#,
                #"line 3, column 1: an item without a string "key" was left out"#,
                #"line 4, column 23: "value" is true or false and was ignored; expected a string"#,
                #"line 4, column 38: "title" is a number and was ignored; expected a string"#,
                #"line 4, column 49: the type "colour" was ignored; the types are bool, int, double, string, json"#,
                #"line 4, column 72: "requires" is a number and was ignored; expected a key or a list of keys"#,
                #"line 4, column 92: "restart" is a string and was ignored; expected true or false"#,
                "line 5, column 1: an item that is a string was left out; expected an object",
                #"line 7, column 1: duplicate key "a"; the first is used"#,
                "line 8, column 1: a category that is a number was left out; expected an object",
                #"line 9, column 1: a category without a string "category" is listed as "Other""#,
                #"line 10, column 1: a category without an array "items" has no flags"#,
                #"line 11, column 34: "description" is an array and was ignored; expected a string"#,
                #"line 11, column 1: a category without an array "items" has no flags"#,
            ])
    }

    @Test func `many issues are summarized`() throws {
        let items = Array(repeating: "{}", count: 250).joined(separator: ",\n")
        let remote = try document(#"[{"category":"A","items":[\#(items)]}]"#)
        #expect(remote.issues.count == 101)
        #expect(remote.issues.last?.description == "150 more warnings of this kind are not listed")
        #expect(remote.issues[99].line == 100)
    }
}

@Suite struct RemoteSnapshotTests {
    @Test func `first document wins and equal categories merge`() throws {
        let first = try document(
            #"{"a":"1","b":"x","config_categories":[{"category":"A","items":[{"key":"a"}]},{"category":"Empty","items":[]}]}"#
        )
        let second = try document(
            #"{"a":"2","c":true,"config_categories":[{"category":"B","items":[{"key":"c"}]},{"category":"A","items":[{"key":"a"},{"key":"d"}]}]}"#
        )
        let snapshot = RemoteSnapshot(
            documents: [first, second], defaults: ["e": "0.5", "a": "9", "config_categories": "[]"])
        let listed = snapshot.catalog.categories.map { category in
            "\(category.name): " + snapshot.catalog.items[category.items].map(\.key.string).joined(separator: " ")
        }
        #expect(listed == ["A: a d", "B: c", "Other: b e"])
        #expect(snapshot.values == ["a": "1", "b": "x", "c": "true"])
        #expect(snapshot.source(of: "a") == 0 && snapshot.source(of: "c") == 1 && snapshot.source(of: "e") == nil)
        #expect(
            snapshot.type(of: "c") == .bool && snapshot.type(of: "e") == .double
                && snapshot.type(of: "nosuch") == .string)
        #expect(
            snapshot.catalog.items.allSatisfy {
                snapshot.catalog.categories[$0.category].items.contains(snapshot.catalog.index(of: $0.key) ?? -1)
            })
    }

    @Test func `types come from catalog then document then options`() throws {
        let remote = try document(
            #"{"a":1,"b":2,"c":"3","d":"4","config_categories":[{"category":"A","items":[{"key":"a","type":"string","value":"1|2"},{"key":"b","value":"x|y"},{"key":"c","value":"true|False"},{"key":"d"}]}]}"#
        )
        let snapshot = RemoteSnapshot(documents: [remote])
        #expect(["a", "b", "c", "d"].map { snapshot.type(of: $0) } == [.string, .int, .bool, .int])
    }

    @Test func `unlisted flags join the catalogs other category`() throws {
        let remote = try document(
            #"{"z":"1","config_categories":[{"items":[{"key":"a"}]},{"category":"B","items":[{"key":"b"}]}]}"#)
        let snapshot = RemoteSnapshot(documents: [remote])
        #expect(snapshot.catalog.categories.map(\.name.string) == ["Other", "B"])
        #expect(snapshot.catalog.items.map(\.key.string) == ["a", "z", "b"])
        #expect(RemoteSnapshot.empty.catalog.items.isEmpty)
    }
}
