import FlagModel
import FlagQueries
import Testing

/// Plans of bulk actions: their changes, and the sentences about them.
@Suite struct BulkPlanTests {
    @Test func `importing the overrides of another app shows a warning`() {
        let entries = ImportPlan(ImportEntries(values: ["a": "1"], app: "other"), on: FlagBoard()) { _ in
            FlagBoard().facts(of: "a")
        }
        func outcome(_ app: String) -> String {
            BulkPlan.importing(entries, from: "i.json", over: OverrideTable(), replacing: false, into: app) {
                FlagBoard().facts(of: FlagText($0))
            }.outcome
        }
        #expect(outcome("shop").hasPrefix("The file has the overrides of other, this is shop."))
        #expect(!outcome("other").contains("has the overrides of"))
    }

    @Test func `replacing keeps note and end of a value that stays, unless the file says otherwise`() {
        let end = OverrideEnd.moment(FlagTimestamp(seconds: 1_795_255_200))
        let old = FlagOverride(value: "1", note: "why", end: end)
        let overrides: FlagTable<FlagOverride> = ["a": old, "b": old, "c": old, "left": old]
        var entries = ImportEntries(values: ["a": "1", "b": "2", "c": "1"])
        (entries.notes["c"], entries.lives["c"]) = ("other", .lasting(.seconds(60)))
        entries.issues = [ImportIssue(key: "left", reason: .unreadable("left has no value."))]
        let imported = ImportPlan(entries, on: FlagBoard()) { FlagBoard().facts(of: FlagText($0)) }
        let plan = BulkPlan.importing(
            imported, from: "i.json", over: OverrideTable(overrides: overrides), replacing: true, into: "shop"
        ) { FlagBoard().facts(of: FlagText($0)) }
        let now = ClockReading(now: FlagTimestamp(seconds: 1_795_000_000))
        let new = overrides.applying(plan.edits, at: now)
        #expect(new.mapValues(\.value) == ["a": "1", "b": "2", "c": "1", "left": "1"])
        for key in ["a", "left"] { #expect(new[key]?.note == "why" && new[key]?.end == end, "\(key)") }
        #expect(new["b"]?.note == nil && new["b"]?.end == nil)
        #expect(new["c"]?.note == "other" && new["c"]?.end == OverrideLife.lasting(.seconds(60)).end(at: now))
    }

    @Test func `a text is imported although the remote value is JSON`() throws {
        let catalog = #"[{"category": "C", "items": [{"key": "a", "type": "string"}]}]"#
        let document = try RemoteDocument(
            parsing: Array(#"{"a": "{\"x\": 1}", "config_categories": \#(catalog)}"#.utf8))
        let board = FlagBoard(snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: [:])
        let plan = ImportPlan(ImportEntries(values: ["a": "plain text"]), on: board) { board.facts(of: FlagText($0)) }
        #expect(board.facts(of: "a").editedType == .json)
        #expect(plan.entries.values == ["a": "plain text"] && plan.entries.issues.isEmpty)
    }

    @Test func `the plan of an activation counts overridden flags and shows added and removed values`() {
        let plan = BulkPlan.activating(
            [
                ValueDifference(key: "a", old: "1", new: "2"), ValueDifference(key: "b", old: nil, new: "x"),
                ValueDifference(key: "c", old: "y", new: nil),
            ], overrides: ["a": FlagOverride(value: "3")])
        #expect(
            plan.outcome
                == "1 changed, 1 added, 1 removed. Apps use them from then on. 1 is overridden and stays as you set it."
        )
        #expect(plan.lines.map(\.before) == ["1", nil, "y"] && plan.lines.map(\.after) == ["2", "x", nil])
    }
}
