import FlagModel
import Testing

@Suite("Flags that a service has evaluated")
struct EvaluatedFlagsTests {
    @Test("categories, values, types and notes are kept; what stands twice is told")
    func document() {
        var flags = EvaluatedFlags()
        flags.add(FlagItem(key: "a", declaredType: .bool), value: "true", note: "rule 1", category: "One")
        flags.add(FlagItem(key: "b", declaredType: .int), value: "1", category: "Two")
        flags.add(FlagItem(key: "c"), value: nil, note: "left to the app", category: "One")
        flags.add(FlagItem(key: "a"), value: "false", category: "Two")
        flags.leaveOut("the flag \"d\" was left out")
        let document = RemoteDocument(flags)
        #expect(document.kind == .evaluated && document.values == ["a": "true", "b": "1"])
        #expect(document.catalog?.categories.map(\.name) == ["One", "Two"])
        #expect(document.catalog?.items.map(\.key) == ["a", "c", "b"])
        #expect(document.problems.count == 2 && document.problems[0].sentence.contains("duplicate flag"))
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(snapshot.note(of: "a") == "rule 1" && snapshot.note(of: "b") == nil && snapshot.type(of: "b") == .int)
    }

    @Test("the note is that of the source whose value is in use, and the board hands it on")
    func notes() throws {
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

    @Test("a catalog that somebody wrote counts for the flags of every source, wherever it stands")
    func catalogBesideAService() throws {
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

    @Test("a thousand problems are told in a hundred sentences and one")
    func manyProblems() {
        var flags = EvaluatedFlags()
        for number in 0..<1_000 { flags.leaveOut("number \(number)") }
        let problems = RemoteDocument(flags).problems
        #expect(problems.count == 101 && problems.last?.sentence.hasPrefix("900 more warnings") == true)
    }
}
