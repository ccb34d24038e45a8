import FlagModel
import FlagQueries
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import DeveloperMenuTerminal

/// The scenarios that ship with the built-in sample.
@Suite struct SampleTests {
    private let workplace = Workplace()

    private func flags(_ source: any RemoteSource) -> FlagStore {
        FlagStore(
            app: "sample", sources: [source],
            options: .init(
                overrides: .open, launch: [:], announces: false, storeDirectory: workplace.place("state"),
                cacheDirectory: workplace.place("cache")))
    }

    @Test func `each scenario fits the catalog and changes the value of each of its flags`() throws {
        let flags = flags(SampleSource())
        let board = FlagBoard(snapshot: flags.remoteReading.snapshot, launch: [:], overrides: [:])
        let folders = flags.scenarioFolders(beside: try #require(flags.overrides))
        #expect(folders.all().map(\.name) == ["black-friday", "onboarding"])
        for scenario in folders.all() {
            let entries = try scenario.content.get()
            #expect(!entries.values.isEmpty && entries.app == "sample", "\(scenario.name)")
            #expect(entries.notes.allSatisfy { entries.values[$0.key] != nil }, "\(scenario.name)")
            let plan = ScenarioPlan(
                scenario.name, board.plan(entries, for: []), over: OverrideTable(), replacing: true
            ) { board.facts(of: FlagText($0)) }
            #expect(plan.leftOut == [], "\(scenario.name)")
            #expect(plan.lines.count == entries.values.count, "\(scenario.name)")
            for line in plan.lines {
                #expect(line.effect == .add && line.now != nil && line.after != line.now, "\(scenario.name): \(line)")
            }
        }
        #expect(workplace.names(in: "state/scenarios") == [], "nothing is written before the user saves something")
    }

    @Test func `other sources have no scenarios of their own`() throws {
        workplace.write(#"{"greeting_text": "hi"}"#, to: "remote.json")
        let flags = flags(RemoteFile(workplace.place("remote.json")))
        #expect(flags.scenarioFolders(beside: try #require(flags.overrides)).all() == [])
    }
}
