import FlagModel
import Foundation
import TestSupport
import Testing

@testable import FlagStorage

/// The file of what a tester decides about sources.
@Suite struct ContextFileTests {
    private let folder = StoreFolder()
    private let time = Timestamp(seconds: 1_795_000_000)

    private var file: ContextFile { ContextFile(directory: folder.path, now: { [time] in time }) }
    private var path: String { FilePath.join(folder.path, "contexts.json") }

    private func change(_ source: String, _ edits: ContextEdit...) -> ContextChange {
        ContextChange(source: source, edits: edits)
    }

    private func write(_ text: String) throws { try DurableFile.replace(path, with: Array(text.utf8)) }
    private func text() throws -> String { String(decoding: try #require(try DurableFile.read(path)), as: UTF8.self) }

    @Test func whatIsDecidedIsReadAgain() throws {
        #expect(file.read().contexts.isEmpty && file.read().problem == nil)
        try file.apply(change("a", .set(name: "country", value: #""FR""#), .leaveOut(name: "os")))
        try file.apply(
            change("b", .decide(condition: "x", holds: true), .leaveToRule(condition: "y", isDecidedByProject: true)))
        let read = file.read().contexts
        #expect(read["a"]?.members.map(\.name) == ["country", "os"])
        #expect(read["a"]?.members.map(\.value) == [#""FR""#, nil])
        #expect(read["b"]?.decisions == [OwnContext.Decision(condition: "x", holds: true)])
        #expect(read["b"]?.undecided == ["y"])
        try file.apply(change("a", .reset))
        #expect(file.read().contexts["a"] == nil && file.read().contexts["b"] != nil)
    }

    @Test func onlyItsOwnerReadsIt() throws {
        try file.apply(change("a", .set(name: "userId", value: #""ana""#)))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func whatNobodyChangesIsNotWritten() throws {
        try file.apply(change("a", .restore(name: "nosuch")))
        #expect(try DurableFile.read(path) == nil)
    }

    @Test func whatIsNotUnderstoodStays() throws {
        try write(
            #"{"format": 1, "sources": {"a": {"context": {"n": {"x": [1, 2]}}, "later": 5}, "odd": 3}, "more": [true]}"#
        )
        #expect(file.read().contexts["a"]?.members.map(\.value) == [#"{"x":[1,2]}"#])
        try file.apply(change("a", .reset))
        let kept = try text()
        for part in [#""later": 5"#, #""odd": 3"#, #""more": [true]"#] { #expect(kept.contains(part), "\(kept)") }
        #expect(!kept.contains("context"))
    }

    @Test func conditionsThatDecideNothingStayUntilTheyAreDecided() throws {
        try write(#"{"format": 1, "sources": {"a": {"conditions": {"x": true, "y": "on", "z": [1]}}}}"#)
        try file.apply(change("a", .set(name: "n", value: "1")))
        let before = try text()
        #expect(before.contains(#""y": "on""#) && before.contains(#""z": [1]"#), "\(before)")
        try file.apply(change("a", .decide(condition: "y", holds: true), .decide(condition: "x", holds: false)))
        let kept = try text()
        #expect(kept.contains(#""y": true"#) && kept.contains(#""z": [1]"#) && !kept.contains(#""on""#), "\(kept)")
        #expect(file.read().problem == nil && file.read().contexts["a"]?.decisions.count == 2)
        try file.apply(change("a", .reset))
        #expect(try text().contains(#""z": [1]"#))
    }

    private func asides() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("contexts.json.corrupt-") }.sorted()
    }

    @Test func whatIsDecidedReplacesWhatCouldNotBeReadWhichIsKept() throws {
        let first = #"{"format": 1, "sources": {"a": {"context": "ana", "conditions": 7}, "b": [1]}}"#
        try write(first)
        let problem = try #require(file.read().problem)
        for part in [#"the entry of "b""#, #"the "context" of "a""#, #"the "conditions" of "a""#] {
            #expect(problem.contains(part), "\(problem)")
        }
        let notice = try #require(try file.apply(change("a", .set(name: "n", value: "1"))))
        #expect(notice.contains(#"replaced the "context" of "a", which could not"#), "\(notice)")
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"])
        let kept = try text()
        #expect(kept.contains(#""conditions": 7"#) && !kept.contains("ana"), "\(kept)")
        let aside = try #require(try asides().first)
        let bytes = try DurableFile.read(FilePath.join(folder.path, aside))
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == first)
        #expect(try file.apply(change("a", .set(name: "n", value: "2"))) == nil, "nothing gives way any more")
        #expect(try file.apply(change("a", .decide(condition: "x", holds: true)))?.contains("conditions") == true)
        #expect(try file.apply(change("b", .set(name: "n", value: "1")))?.contains(#"the entry of "b""#) == true)
        #expect(file.read().problem == nil && file.read().contexts["a"]?.decisions.count == 1)
        #expect(try asides().count == 3)
    }

    @Test func aNewerFormatIsReadAndLeftAlone() throws {
        let newer = #"{"format": 2, "sources": {"a": {"context": {"n": 1}}}}"#
        try write(newer)
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"])
        #expect(file.read().problem?.contains("newer version (format 2)") == true)
        #expect(throws: StorageError.self) { try file.apply(change("a", .reset)) }
        #expect(try text() == newer)
    }

    @Test func aDamagedFileIsKeptUnderAnotherName() throws {
        try write(#"{"format": 1, "sources": {"a": "#)
        #expect(file.read().contexts.isEmpty)
        #expect(file.read().problem?.contains("line 1") == true)
        let notice = try #require(try file.apply(change("a", .set(name: "n", value: "1"))))
        #expect(notice.contains("damaged file is kept"))
        #expect(file.read().contexts["a"]?.members.map(\.value) == ["1"] && file.read().problem == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains { $0.hasPrefix("contexts.json.corrupt-") }, "\(names)")
    }

    @Test func whereNothingMayBeChangedNothingIs() throws {
        let refusing = ContextFile(directory: folder.path, now: { [time] in time }, refusal: "Read-only.")
        let error = #expect(throws: StorageError.self) { try refusing.apply(change("a", .reset)) }
        #expect(error?.code == .refused && error?.sentence == "Read-only.")
    }

    @Test func writersAtOnceLoseNothing() async throws {
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
