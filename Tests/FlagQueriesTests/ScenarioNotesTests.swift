import FlagModel
import FlagQueries
import Testing

/// Notes and ends in the plan of a scenario: a change of one of them is a change, as the edits make it.
@Suite struct ScenarioNotesTests {
    private func effects(
        of entries: ImportEntries, over override: FlagOverride, replacing: Bool
    ) throws -> [ScenarioPlan.Line.Effect] {
        try lines(of: entries, over: override, replacing: replacing).map(\.effect)
    }

    private func lines(
        of entries: ImportEntries, over override: FlagOverride, replacing: Bool
    ) throws -> [ScenarioPlan.Line] {
        let document = try RemoteDocument(parsing: Array(#"{"a": "0", "b": "0"}"#.utf8))
        let table = OverrideTable(overrides: ["a": override])
        let board = FlagBoard(
            snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: table.overrides)
        return ScenarioPlan("s", board.plan(entries, for: []), over: table, replacing: replacing) {
            board.facts(of: FlagText($0))
        }.lines
    }

    @Test func `a line says the note and the end that change`() throws {
        var entries = ImportEntries(values: ["a": "1", "b": "1"])
        (entries.notes, entries.lives) = (["b": "BUG-9"], ["b": .lasting(.seconds(7_200)), "a": .untilRestart])
        let noted = FlagOverride(value: "1", note: "BUG-1")
        let added = try lines(of: entries, over: noted, replacing: false)
        let ends = [["ends when the app restarts"], [#"note "BUG-9""#, "ends in 2 h"]]
        #expect(added.map(\.additions) == ends, "a note that stays is not said")
        let ending = FlagOverride(value: "1", end: .moment(FlagTimestamp(seconds: 1_795_255_200)))
        let dropped = try lines(of: ImportEntries(values: ["a": "1"]), over: ending, replacing: false)
        #expect(dropped.map(\.additions) == [["no end"]])
        let reset = try lines(of: ImportEntries(values: ["b": "1"]), over: noted, replacing: true)
        #expect(reset.map(\.additions) == [[], []])
    }

    @Test func `a value that stays keeps a note of which the scenario says nothing`() throws {
        let (entries, noted) = (ImportEntries(values: ["a": "1"]), FlagOverride(value: "1", note: "BUG-1"))
        for isReplacing in [true, false] {
            #expect(try effects(of: entries, over: noted, replacing: isReplacing) == [.keep])
        }
        var annotated = entries
        annotated.notes["a"] = "BUG-2"
        #expect(try effects(of: annotated, over: noted, replacing: false) == [.replace])
        annotated.notes["a"] = "BUG-1"
        #expect(try effects(of: annotated, over: noted, replacing: true) == [.keep])
    }

    @Test func `setting the same value drops an end, replacing keeps it, and a new end is a change`() throws {
        let ending = FlagOverride(value: "1", end: .moment(FlagTimestamp(seconds: 1_795_255_200)))
        var entries = ImportEntries(values: ["a": "1"])
        #expect(try effects(of: entries, over: ending, replacing: false) == [.replace])
        #expect(try effects(of: entries, over: ending, replacing: true) == [.keep])
        entries.lives["a"] = .lasting(.seconds(7_200))
        #expect(try effects(of: entries, over: FlagOverride(value: "1"), replacing: false) == [.replace])
        let other = ImportEntries(values: ["b": "1"])
        #expect(try effects(of: other, over: ending, replacing: false) == [.keep, .add])
    }
}
