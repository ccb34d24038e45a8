import FlagModel
import Foundation
import Testing

@testable import FlagStorage

/// Scenarios are files in two folders; applying one is one write.
@Suite struct ScenarioFoldersTests {
    private let folder = StoreFolder()

    private var project: String { folder.path + "/project" }
    private var state: String { folder.path + "/state" }
    private var folders: ScenarioFolders { ScenarioFolders(project: project, state: state) }

    private func makeProject() throws {
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
    }

    private static func text(_ key: String) -> String {
        #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"\#(key)": "1"}}"#
    }

    private func keys(_ file: ScenarioFile?) throws -> [String] {
        try #require(file).content.get().values.sortedByKey.map(\.key)
    }

    @Test func `a scenario of the project hides one of the same name in the state folder`() throws {
        try makeProject()
        let own = ScenarioFolders(project: nil, state: state)
        #expect(
            try own.save(Self.text("own"), as: "checkout", isReplacing: false) == state + "/scenarios/checkout.json")
        _ = try own.save(Self.text("own"), as: "mine", isReplacing: false)
        _ = try folders.save(Self.text("shared"), as: "checkout", isReplacing: true)
        #expect(folders.all().map(\.name) == ["checkout", "mine"])
        #expect(try keys(folders.scenario("checkout")) == ["shared"])
        #expect(try keys(own.scenario("checkout")) == ["own"])
        #expect(folders.scenario("chekout") == nil)
        let error = #expect(throws: StorageError.self) { try folders.existing("chekout") }
        #expect(error?.sentence.contains("checkout") == true)
    }

    @Test func `a name that is taken is kept unless it is replaced`() throws {
        try makeProject()
        _ = try folders.save(Self.text("a"), as: "one", isReplacing: false)
        #expect(throws: StorageError.self) { try folders.save(Self.text("b"), as: "one", isReplacing: false) }
        _ = try folders.save(Self.text("a"), as: "two", isReplacing: false)
        #expect(throws: StorageError.self) { try folders.rename("two", to: "one", in: folder.store()) }
        #expect(try keys(folders.scenario("one")) == ["a"])
        _ = try folders.save(Self.text("b"), as: "one", isReplacing: true)
        try folders.rename("one", to: "three", in: folder.store())
        try folders.delete("two")
        #expect(folders.all().map(\.name) == ["three"])
        #expect(try keys(folders.scenario("three")) == ["b"])
        #expect(throws: StorageError.self) { try folders.delete("two") }
    }

    @Test func `the folder of a project, which others read, gets notes only on request`() throws {
        try makeProject()
        let store = folder.store()
        _ = try store.apply([.set(key: "a", value: "1"), .note(key: "a", "BUG-1"), .set(key: "b", value: "2")])
        func save(in folders: ScenarioFolders, withNotes: Bool = false) throws -> ScenarioFolders.Change {
            try folders.save(
                store.read(), as: "one", app: "shop", source: "", evaluations: [], at: FlagTimestamp(seconds: 0),
                isReplacing: true, withNotes: withNotes)
        }
        let change = try save(in: folders)
        #expect(change.path == project + "/scenarios/one.json")
        #expect(change.sentence.hasPrefix("Saved 2 overrides as one. 1 note is left out"), "\(change.sentence)")
        #expect(try folders.scenario("one")?.content.get().notes == [:])
        #expect(DurableFile.modeReadByOthers(of: change.path) != nil)
        #expect(DurableFile.status(of: project + "/scenarios")?.mode == DurableFile.status(of: project)?.mode)
        #expect(try save(in: folders, withNotes: true).sentence == "Saved 2 overrides as one.")
        #expect(try folders.scenario("one")?.content.get().notes == ["a": "BUG-1"])
        let own = try save(in: ScenarioFolders(project: nil, state: state))
        #expect(own.sentence == "Saved 2 overrides as one.")
        #expect(try ScenarioFolders(project: nil, state: state).scenario("one")?.content.get().notes == ["a": "BUG-1"])
        #expect(DurableFile.modeReadByOthers(of: own.path) == nil)
    }

    @Test func `the applied scenario has its new name in the store, too, and another one stays`() throws {
        let (own, store) = (ScenarioFolders(project: nil, state: state), folder.store())
        for name in ["one", "two"] { _ = try own.save(Self.text("a"), as: name, isReplacing: false) }
        let applied = AppliedScenario(name: "one", overrides: ["a": "1"])
        _ = try store.apply([.set(key: "a", value: "1"), .applyScenario(applied)])
        #expect(try own.rename("two", to: "other", in: store).sentence == "Renamed two to other.")
        #expect(store.read().table.scenario == applied)
        try own.rename("one", to: "first", in: store)
        #expect(store.read().table.scenario == applied.renamed(to: "first"))
        #expect(store.read().table.scenarioWords == "first" && own.all().map(\.name) == ["first", "other"])
        #expect(try store.history().first?.action == "rename scenario one")
        #expect(throws: StorageError.self) { try own.rename("first", to: "other", in: store) }
        #expect(store.read().table.scenarioWords == "first")
    }

    @Test func `undo passes over a rename, and keeps the new name`() throws {
        let (own, store) = (ScenarioFolders(project: nil, state: state), folder.store())
        _ = try own.save(Self.text("a"), as: "one", isReplacing: false)
        let applied = AppliedScenario(name: "one", overrides: ["a": "1"])
        _ = try store.apply([.set(key: "a", value: "1"), .applyScenario(applied)])
        _ = try store.apply([.clearAll])
        _ = try store.undo()
        try own.rename("one", to: "two", in: store)
        #expect(try store.redo().table.scenario == nil)
        #expect(try store.undo().table.scenario == applied.renamed(to: "two"))
        #expect(throws: StorageError.self, "the rename") { try store.undo(to: 4) }
        let undone = try store.undo().table
        #expect(undone.overrides.isEmpty && undone.scenario == nil)
        #expect(throws: StorageError.self) { try store.undo() }
        #expect(try store.redo().table.scenarioWords == "two")
    }

    @Test(arguments: ["", ".", "..", "a/b", "../x", "ä", "a b", "x\n", String(repeating: "x", count: 61)])
    func `a name that could be a path or is too long is rejected`(name: String) throws {
        try makeProject()
        #expect(!ScenarioFolders.isName(name) && folders.scenario(name) == nil)
        #expect(throws: StorageError.self) { try folders.save(Self.text("a"), as: name, isReplacing: true) }
        #expect(folders.all().isEmpty)
    }

    @Test func `a link in the project does not lead a scenario out of it`() throws {
        try makeProject()
        let outside = folder.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: project + "/scenarios", withDestinationPath: outside)
        #expect(throws: StorageError.self) { try folders.save(Self.text("a"), as: "one", isReplacing: true) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        try folder.write(Self.text("a"), to: "outside/two.json")
        #expect(throws: StorageError.self) { try folders.delete("two") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["two.json"])
    }

    @Test func `a file that cannot be read is listed with its error`() throws {
        try folder.write("{", to: "broken.json")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: state + "/scenarios", withDestinationPath: folder.path)
        let own = ScenarioFolders(project: nil, state: state)
        #expect(own.all().map(\.name) == ["broken"])
        #expect(throws: InvalidText.self) { try own.scenario("broken")?.content.get() }
    }

    // MARK: applying

    private static let values = FlagTable<String>((1...200).map { ("k\($0)", "v\($0)") }) { first, _ in first }
    private static let scenario = AppliedScenario(name: "large", overrides: values)
    private static let edits: [OverrideEdit] = [.replaceAll(values), .applyScenario(scenario)]

    @Test func `applying 200 overrides is one write, one history entry and one undo`() throws {
        _ = try folder.store().apply([.set(key: "old", value: "1")])
        let plan = FaultPlan(step: -1, .error(EIO))
        let commit = try folder.store(files: .live(failing: plan)).apply(Self.edits)
        #expect(commit.table.revision == 2 && commit.table.scenarioWords == "large")
        #expect(plan.calls.count { $0 == "rename" } == 1)
        #expect(try folder.store().history().map(\.action) == ["scenario large", "set"])
        #expect(folder.store().read().table.values == Self.values)
        let undone = try folder.store().undo().table
        #expect(undone.values == ["old": "1"] && undone.scenario == nil)
        let redone = try folder.store().redo().table
        #expect(redone.values == Self.values && redone.scenario == Self.scenario)
    }

    @Test func `death at any call applies all of a scenario or nothing`() throws {
        var outcomes: Set<Int> = []
        for step in 0..<FaultTests.stepLimit {
            let folder = StoreFolder()
            _ = try folder.store().apply([.set(key: "old", value: "1")])
            let plan = FaultPlan(step: step, .death)
            _ = try? folder.store(files: .live(failing: plan)).apply(Self.edits)
            let table = folder.store().read().table
            let isApplied = table.scenario != nil
            #expect(table.values == (isApplied ? Self.values : ["old": "1"]), "step \(step)")
            #expect(try folder.store().history().count == (isApplied ? 2 : 1), "step \(step)")
            outcomes.insert(table.overrides.count)
            if plan.calls.count <= step { break }
        }
        #expect(outcomes == [1, 200])
    }
}
