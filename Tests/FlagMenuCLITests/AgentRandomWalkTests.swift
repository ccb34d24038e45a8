import FlagModel
import FlagQueries
import FlagStorage
import Foundation
import TestSupport
import Testing

/// An agent beside a person in the menu, who writes with the store as the menu does, and a script.
@Suite(.slow, .mayBlock) struct AgentRandomWalkTests {
    private static let values = [
        "show_map": ["true", "false"], "theme": ["dark", "light", "high contrast"], "limit": ["1", "2", "3"],
        "ratio": ["0.25", "2"],
    ]

    private let workplace = Workplace.shop()

    private func store(by author: String) -> OverrideStore {
        OverrideStore(
            directory: "\(workplace.home)/.local/state/flagmenu/shop", author: author,
            now: { FlagTimestamp(seconds: Int64(Date().timeIntervalSince1970)) })
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no change is lost, and all are undone`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (agent, person) = (try AgentDriver(workplace), store(by: "ana"))
        let keys = Self.values.keys.sorted()
        for step in 0..<120 {
            let key = try #require(keys.randomElement(using: &random))
            let value = try #require(Self.values[key]?.randomElement(using: &random))
            let before = person.read().table.overrides
            var expected = before.mapValues(\.value)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                _ = try agent.expect("set_flag", #"{"key":"\#(key)","value":"\#(value)"}"#)
                expected[key] = value
            case 3:
                _ = try agent.expect("reset_flag", #"{"key":"\#(key)"}"#)
                expected[key] = nil
            case 4, 5:
                let isAll = Bool.random(using: &random)
                _ = try agent.call(isAll ? "reset_all" : "undo")
                let after = person.read().table.overrides
                // What the person or the script has set last stays.
                for key in keys where before[key] != nil && before[key]?.setBy != "robot (agent)" {
                    #expect(after[key]?.value == before[key]?.value, "seed \(seed), step \(step): \(key)")
                }
                #expect(!isAll || !after.values.contains { $0.setBy == "robot (agent)" }, "seed \(seed), step \(step)")
                expected = after.mapValues(\.value)
            case 6, 7:
                _ = try person.apply([.set(key: key, value: value)])
                expected[key] = value
            case 8:
                _ = try person.apply([.clear(key: key)])
                expected[key] = nil
            default:
                workplace.flagmenu(["set", key, value, "--quiet"]).expect(0)
                expected[key] = value
            }
            #expect(person.read().table.overrides.mapValues(\.value) == expected, "seed \(seed), step \(step)")
        }
        // The three agree.
        let listed = try agent.expect("list_flags", #"{"matching":"layer:override"}"#)
        let command = try JSONDocument(parsing: workplace.flagmenu("list --matching layer:override --json").output).root
        #expect(listed["flags"]?.compactJSON == command.compactJSON)
        #expect(listed["total"]?.wholeNumber == person.read().table.overrides.count)
        // As many undos as there were changes that are not undone.
        let actions = try person.history().filter { $0.undoes == nil && !$0.isUndone }
        for _ in actions { _ = try person.undo() }
        #expect(person.read().table.overrides.isEmpty)
        #expect(throws: StorageError.self) { try person.undo() }
    }
}
