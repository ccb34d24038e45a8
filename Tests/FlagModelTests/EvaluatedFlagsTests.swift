import FlagModel
import Testing

@Suite struct EvaluatedFlagsTests {
    @Test func `a document has categories, values, types and notes, and reports duplicate flags`() {
        var flags = EvaluatedFlags()
        flags.add(FlagItem(key: "a", declaredType: .bool), value: "true", note: "rule 1", category: "One")
        flags.add(FlagItem(key: "b", declaredType: .int), value: "1", category: "Two")
        flags.add(FlagItem(key: "c"), value: nil, note: "left to the app", category: "One")
        flags.add(FlagItem(key: "a"), value: "false", category: "Two")
        flags.warn("the flag \"d\" was left out")
        let document = RemoteDocument(flags)
        #expect(document.kind == .evaluated && document.values == ["a": "true", "b": "1"])
        #expect(document.catalog?.categories.map(\.name) == ["One", "Two"])
        #expect(document.catalog?.items.map(\.key) == ["a", "c", "b"])
        #expect(document.issues.count == 2 && document.issues[0].sentence.contains("duplicate flag"))
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(snapshot.note(of: "a") == "rule 1" && snapshot.note(of: "b") == nil && snapshot.type(of: "b") == .int)
    }

    @Test func `the note comes from the source whose value is in use, and the board shows it`() throws {
        var flags = EvaluatedFlags()
        flags.add(FlagItem(key: "a"), value: "service", note: "rule 1", category: "Flags")
        let service = RemoteDocument(flags)
        let file = try RemoteDocument(parsing: Array(#"{"a": "file", "b": "file"}"#.utf8))
        let first = RemoteSnapshot(documents: [service, file])
        #expect(first.note(of: "a") == "rule 1" && first.note(of: "b") == nil)
        #expect(RemoteSnapshot(documents: [file, service]).note(of: "a") == nil)
        let board = FlagBoard(snapshot: first, launch: [:], overrides: [:])
        #expect(board.facts(of: "a").remoteNote == "rule 1" && board.facts(of: "b").remoteNote == nil)
    }

    @Test func `a written catalog applies to the flags of every source, in any order of the sources`() throws {
        var flags = EvaluatedFlags()
        flags.add(FlagItem(key: "a", declaredType: .bool), value: "true", category: "Flags")
        flags.add(FlagItem(key: "b", declaredType: .int), value: "1", category: "Flags")
        let written = try RemoteDocument(
            parsing: Array(#"[{"category": "Shop", "items": [{"key": "b", "title": "Number", "value": "1|2"}]}]"#.utf8))
        for documents in [[RemoteDocument(flags), written], [written, RemoteDocument(flags)]] {
            let catalog = RemoteSnapshot(documents: documents).catalog
            #expect(catalog.categories.map(\.name) == ["Shop", "Flags"])
            #expect(catalog.items.map(\.key) == ["b", "a"] && catalog.items[0].title == "Number")
        }
    }

    @Test func `1,000 issues are reported as 100 sentences and a summary`() {
        var flags = EvaluatedFlags()
        for number in 0..<1_000 { flags.warn("number \(number)") }
        let issues = RemoteDocument(flags).issues
        #expect(issues.count == 101 && issues.last?.sentence.hasPrefix("900 more warnings") == true)
    }
}
