import FlagModel
import Testing

@testable import FlagStorage

/// Scenarios without a file, in the list of those with one.
@Suite struct BuiltInScenarioTests {
    private let folder = StoreFolder()
    private var scenarios: ScenarioFolders {
        ScenarioFolders(
            project: nil, state: folder.path, builtIn: ["sale": #"{"price": "1"}"#, "tour": #"{"steps": "3"}"#])
    }

    private func price(_ name: String = "sale") throws -> String? {
        try scenarios.scenario(name)?.content.get().values["price"]
    }

    @Test func `a built-in scenario is listed with those in files`() throws {
        _ = try scenarios.save(#"{"a": "1"}"#, as: "own", isReplacing: false)
        #expect(scenarios.all().map(\.name) == ["own", "sale", "tour"])
        #expect(scenarios.all().map { $0.file == nil } == [false, true, true])
        #expect(try price() == "1")
        #expect(scenarios.scenario("sale")?.path == "built in")
        #expect(try scenarios.all().map(scenarios.text) == [#"{"a": "1"}"#, #"{"price": "1"}"#, #"{"steps": "3"}"#])
        #expect(scenarios.scenario("nosuch") == nil)
    }

    @Test func `a saved scenario hides the built-in one of the same name until it is deleted`() throws {
        #expect(throws: StorageError.self) { try scenarios.save(#"{"price": "2"}"#, as: "sale", isReplacing: false) }
        let path = try scenarios.save(#"{"price": "2"}"#, as: "sale", isReplacing: true)
        #expect(try price() == "2")
        #expect(scenarios.scenario("sale")?.file == path && scenarios.all().count == 2)
        try scenarios.rename("sale", to: "sale-2", in: folder.store())
        #expect(try price() == "1" && price("sale-2") == "2")
        try scenarios.delete("sale-2")
        #expect(scenarios.all().map(\.name) == ["sale", "tour"])
    }

    @Test func `a built-in scenario cannot be deleted or renamed, and nothing takes its name`() throws {
        for action in [
            { try scenarios.delete("sale") }, { try scenarios.rename("sale", to: "other", in: folder.store()) },
        ] {
            let error = try #require(throws: StorageError.self) { try action() }
            #expect(error.code == .refused && error.sentence.contains("sale is built in"), "\(error)")
        }
        _ = try scenarios.save("{}", as: "own", isReplacing: false)
        let error = try #require(throws: StorageError.self) {
            try scenarios.rename("own", to: "sale", in: folder.store())
        }
        #expect(error.sentence.contains("There is a scenario sale already"), "\(error)")
        #expect(scenarios.scenario("own") != nil)
    }
}
