import FlagModel
import FlagQueries
import Testing

/// What applying a scenario changes, in three columns.
@Suite struct ScenarioPlanTests {
    private static let document = #"""
        {"a": "0", "b": "0", "c": "false",
         "config_categories": [{"category": "C", "items": [{"key": "a"}, {"key": "b"}, {"key": "c", "type": "bool"}]}]}
        """#

    private let table = OverrideTable(
        revision: 3, overrides: ["a": FlagOverride(value: "1"), "c": FlagOverride(value: "true")])

    private func board(_ table: OverrideTable) throws -> FlagBoard {
        let document = try RemoteDocument(parsing: Array(Self.document.utf8))
        return FlagBoard(snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: table.overrides)
    }

    private func plan(
        _ entries: ImportEntries, over table: OverrideTable, replacing: Bool, for evaluations: [SourceEvaluation] = []
    ) throws -> ScenarioPlan {
        let board = try board(table)
        var entries = entries
        entries.contexts = entries.contexts ?? [:]
        return ScenarioPlan("s", board.plan(entries, for: evaluations), over: table, replacing: replacing) {
            board.facts(of: FlagText($0))
        }
    }

    /// The changes after a plan is carried out.
    private func values(after plan: ScenarioPlan) -> FlagTable<String> {
        var overrides = table.overrides
        for edit in plan.edits { overrides.apply(edit) }
        return overrides.mapValues(\.value)
    }

    private func line(
        _ key: String, _ now: String?, _ scenario: String?, _ after: String?, _ effect: ScenarioPlan.Line.Effect
    ) -> [String] { [key, now ?? "nil", scenario ?? "nil", after ?? "nil", effect.rawValue] }

    private func lines(_ plan: ScenarioPlan) -> [[String]] {
        plan.lines.map { line($0.key, $0.now, $0.scenario, $0.after, $0.effect) }
    }

    @Test func `replacing resets the changes that the scenario does not have`() throws {
        let plan = try plan(ImportEntries(values: ["a": "2", "b": "1"]), over: table, replacing: true)
        #expect(
            lines(plan) == [
                line("a", "1", "2", "2", .replace), line("b", "0", "1", "1", .add),
                line("c", "true", nil, "false", .reset),
            ])
        #expect(plan.summary == "Adds 1, replaces 1, resets 1.")
        #expect(values(after: plan) == ["a": "2", "b": "1"])
        #expect(plan.edits.label == "scenario s")
    }

    @Test func `adding keeps the changes that the scenario does not have`() throws {
        let plan = try plan(ImportEntries(values: ["a": "2", "b": "1"]), over: table, replacing: false)
        #expect(lines(plan).last == line("c", "true", nil, "true", .keep))
        #expect(plan.summary == "Adds 1, replaces 1.")
        #expect(values(after: plan) == ["a": "2", "b": "1", "c": "true"])
    }

    @Test func `the same changes change nothing, and no change resets everything`() throws {
        let same = try plan(ImportEntries(values: ["a": "1", "c": "true"]), over: table, replacing: true)
        #expect(same.summary == "Changes nothing.")
        #expect(values(after: same) == ["a": "1", "c": "true"])
        let none = try plan(ImportEntries(), over: table, replacing: true)
        #expect(none.summary == "Resets 2." && values(after: none) == [:])
    }

    @Test func `entries that left the catalog are left out, and their overrides stay`() throws {
        var entries = ImportEntries(values: ["b": "1", "c": "maybe", "gone": "1"])
        (entries.notes, entries.lives) = (["c": "why"], ["c": .lasting(.seconds(60))])
        entries.contexts = [
            "elsewhere": ContextOverride(
                reading: try JSONDocument(parsing: Array(#"{"context": {"os": 1}}"#.utf8)).root)
        ]
        let plan = try plan(entries, over: table, replacing: true)
        #expect(Set(plan.leftOut.map(\.key)) == ["c", "gone", "elsewhere"])
        #expect(values(after: plan) == ["b": "1", "c": "true"])
        #expect(lines(plan).contains(line("c", "true", nil, "true", .keep)))
        let kept = table.applying(plan.edits).overrides["c"]
        #expect(kept?.note == nil && kept?.end == nil && !plan.keysSet.contains("c"))
    }

    /// Entries with one condition of a source.
    private func entries(of source: String) -> ImportEntries {
        var (entries, context) = (ImportEntries(), ContextOverride())
        context.apply(.decide(condition: "Beta", applies: true))
        entries.contexts = [source: context]
        return entries
    }

    @Test(arguments: [
        ("/home/bob/shop/ios/a.json", "/home/bob/shop/ios/a.json"), ("ios/a.json", "/home/bob/shop/ios/a.json"),
        ("b.json", "/b.json"), ("/home/ana/b.json", "/b.json"), ("/home/ana/shop/ios/a.json", nil), ("a.json", nil),
        ("https://a/c.json", "https://a/c.json"), ("/home/ana/c.json", nil),
    ])
    func `a source is found by its name, then by the one that it has on every machine`(
        name: String, source: String?
    ) throws {
        var open = ["/home/bob/shop/ios/a.json", "/home/bob/shop/a/a.json", "/b.json", "https://a/c.json"].map {
            SourceEvaluation(source: $0, context: nil, document: nil)
        }
        for index in open.indices {
            open[index].portableName = FilePath.portable(open[index].source, from: "/home/bob/shop")
        }
        let plan = try plan(entries(of: name), over: table, replacing: false, for: open)
        #expect(plan.applied.contexts.sortedByKey.map(\.key) == [source].compactMap { $0 })
        #expect(plan.leftOut.map(\.key) == (source == nil ? [FilePath.portable(name)] : []))
    }

    @Test func `the file of a scenario has not changed if one of its sources is no longer open`() throws {
        let plan = try plan(entries(of: "ios/a.json"), over: table, replacing: false)
        let contexts = entries(of: "/home/bob/shop/ios/a.json").contexts ?? [:]
        let applied = AppliedScenario(name: "s", overrides: [:], contexts: contexts)
        #expect(!plan.hasFileChanged(since: OverrideTable(scenario: applied)))
    }

    @Test func `an override does not make a key known`() throws {
        var table = table
        table.overrides["gone"] = FlagOverride(value: "1")
        let plan = try plan(ImportEntries(values: ["gone": "2"]), over: table, replacing: false)
        #expect(plan.leftOut.map(\.key) == ["gone"])
    }

    @Test func `a file has changed if it is no longer what was applied`() throws {
        let plan = try plan(ImportEntries(values: ["a": "1"]), over: table, replacing: false)
        func hasChanged(_ scenario: AppliedScenario?) -> Bool {
            plan.hasFileChanged(since: OverrideTable(scenario: scenario))
        }
        #expect(!hasChanged(nil) && !hasChanged(plan.applied))
        #expect(hasChanged(AppliedScenario(name: "s", overrides: ["a": "2"])))
        #expect(!hasChanged(AppliedScenario(name: "t", overrides: ["a": "2"])))
        let entries = ImportEntries(values: ["a": "1", "gone": "2"])
        let drifted = try self.plan(entries, over: table, replacing: false)
        let applied = AppliedScenario(name: "s", overrides: ["a": "1", "gone": "2"])
        #expect(
            !drifted.hasFileChanged(since: OverrideTable(scenario: applied)), "a flag left the catalog, not the file")
    }

    @Test func `what is recorded has only what was applied, and later changes deviate from it`() throws {
        let plan = try plan(ImportEntries(values: ["b": "1", "gone": "1"]), over: table, replacing: true)
        let recorded = AppliedScenario(name: "s", overrides: ["b": "1"])
        #expect(plan.edits.last == .applyScenario(recorded))
        var table = OverrideTable(overrides: ["b": FlagOverride(value: "1")], scenario: recorded)
        #expect(table.scenarioWords == "s")
        table.overrides["a"] = FlagOverride(value: "5")
        table.overrides["b"] = nil
        #expect(table.scenarioWords == "s +2")
    }
}
