import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// The file of a tester's context overrides.
@Suite struct ContextFileTests {
    private let folder = StoreFolder()
    private let time = FlagTimestamp(seconds: 1_795_000_000)

    private var file: ContextFile { ContextFile(directory: folder.path, now: { [time] in time }) }
    private var path: String { FilePath.join(folder.path, "contexts.json") }

    private func change(_ source: String, _ edits: ContextEdit...) -> ContextChange {
        ContextChange(source: source, edits: edits)
    }

    private func write(_ text: String) throws { try DurableFile.replace(path, with: Array(text.utf8)) }
    private func text() throws -> String { String(decoding: try #require(try DurableFile.read(path)), as: UTF8.self) }

    @Test func overridesAreReadBack() throws {
        #expect(file.read().contexts.isEmpty && file.read().issue == nil)
        try file.apply(change("a", .set(name: "country", value: #""FR""#), .unset(name: "os")))
        try file.apply(
            change("b", .decide(condition: "x", applies: true), .leaveToRule(condition: "y", isSetByProject: true)))
        let read = file.read().contexts
        #expect(read["a"]?.members.map(\.name) == ["country", "os"])
        #expect(read["a"]?.members.map(\.value) == [#""FR""#, nil])
        #expect(read["b"]?.decisions == [ContextOverride.Decision(condition: "x", applies: true)])
        #expect(read["b"]?.leftToRule == ["y"])
        try file.apply(change("a", .reset))
        #expect(file.read().contexts["a"] == nil && file.read().contexts["b"] != nil)
    }

    @Test func fileIsPrivate() throws {
        try file.apply(change("a", .set(name: "userId", value: #""ana""#)))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func editWithoutChangeWritesNothing() throws {
        try file.apply(change("a", .restore(name: "nosuch")))
        #expect(try DurableFile.read(path) == nil)
    }

    @Test func unknownMembersStay() throws {
        try write(
            #"{"format": 1, "sources": {"a": {"context": {"n": {"x": [1, 2]}}, "later": 5}, "odd": 3}, "more": [true]}"#
        )
        #expect(file.read().contexts["a"]?.members.map(\.value) == [#"{"x":[1,2]}"#])
        try file.apply(change("a", .reset))
        let saved = try text()
        for part in [#""later": 5"#, #""odd": 3"#, #""more": [true]"#] { #expect(saved.contains(part), "\(saved)") }
        #expect(!saved.contains("context"))
    }

    @Test func invalidConditionsStayUntilOverridden() throws {
        try write(#"{"format": 1, "sources": {"a": {"conditions": {"x": true, "y": "on", "z": [1]}}}}"#)
        try file.apply(change("a", .set(name: "n", value: "1")))
        let before = try text()
        #expect(before.contains(#""y": "on""#) && before.contains(#""z": [1]"#), "\(before)")
        try file.apply(change("a", .decide(condition: "y", applies: true), .decide(condition: "x", applies: false)))
        let saved = try text()
        #expect(saved.contains(#""y": true"#) && saved.contains(#""z": [1]"#) && !saved.contains(#""on""#), "\(saved)")
        #expect(file.read().issue == nil && file.read().contexts["a"]?.decisions.count == 2)
        try file.apply(change("a", .reset))
        #expect(try text().contains(#""z": [1]"#))
    }

    private func asideNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("contexts.json.corrupt-") }.sorted()
    }

    @Test func overrideReplacesInvalidEntryAndSavesTheOldFile() throws {
        let first = #"{"format": 1, "sources": {"a": {"context": "ana", "conditions": 7}, "b": [1]}}"#
        try write(first)
        let issue = try #require(file.read().issue)
        for part in [#"the entry of "b""#, #"the "context" of "a""#, #"the "conditions" of "a""#] {
            #expect(issue.contains(part), "\(issue)")
        }
        let notice = try #require(try file.apply(change("a", .set(name: "n", value: "1"))))
        #expect(notice.contains(#"replaced the "context" of "a", which could not"#), "\(notice)")
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"])
        let saved = try text()
        #expect(saved.contains(#""conditions": 7"#) && !saved.contains("ana"), "\(saved)")
        let aside = try #require(try asideNames().first)
        let bytes = try DurableFile.read(FilePath.join(folder.path, aside))
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == first)
        #expect(
            try file.apply(change("a", .set(name: "n", value: "2"))) == nil,
            "the second change replaces no invalid entry")
        #expect(try file.apply(change("a", .decide(condition: "x", applies: true)))?.contains("conditions") == true)
        #expect(try file.apply(change("b", .set(name: "n", value: "1")))?.contains(#"the entry of "b""#) == true)
        #expect(file.read().issue == nil && file.read().contexts["a"]?.decisions.count == 1)
        #expect(try asideNames().count == 3)
    }

    @Test func newerFormatIsReadButNotWritten() throws {
        let newer = #"{"format": 2, "sources": {"a": {"context": {"n": 1}}}}"#
        try write(newer)
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"])
        #expect(file.read().issue?.contains("newer version (format 2)") == true)
        #expect(throws: StorageError.self) { try file.apply(change("a", .reset)) }
        #expect(try text() == newer)
    }

    @Test func damagedFileIsSetAside() throws {
        try write(#"{"format": 1, "sources": {"a": "#)
        #expect(file.read().contexts.isEmpty)
        #expect(file.read().issue?.contains("line 1") == true)
        let notice = try #require(try file.apply(change("a", .set(name: "n", value: "1"))))
        #expect(notice.contains("damaged file is kept"))
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"] && file.read().issue == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains { $0.hasPrefix("contexts.json.corrupt-") }, "\(names)")
    }

    @Test func readOnlyFileRejectsChanges() throws {
        let readOnlyFile = ContextFile(directory: folder.path, now: { [time] in time }, readOnlyReason: "Read-only.")
        let error = #expect(throws: StorageError.self) { try readOnlyFile.apply(change("a", .reset)) }
        #expect(error?.code == .refused && error?.sentence == "Read-only.")
    }

    @Test func concurrentWritersLoseNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { [file] in
                    try file.apply(
                        ContextChange(source: "s\(number % 4)", edits: [.set(name: "n\(number)", value: "\(number)")]))
                }
            }
            try await group.waitForAll()
        }
        #expect(file.read().contexts.values.map(\.members.count).reduce(0, +) == 16)
    }
}
