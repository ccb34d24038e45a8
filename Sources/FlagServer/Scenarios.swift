#if Server
import FlagModel
import FlagQueries
import FlagStorage
import Flags

// Scenarios: which there are, what one would change, and applying it as it was shown.
extension ServedFlags {
    /// All scenarios: how many changes each has, whether it is applied, and what of it cannot be applied any more.
    func listScenarios(_ call: Call) -> JSONOutput {
        let (table, plan) = (table(of: call.client), planner(for: call.client))
        let members = (scenarios?.all() ?? []).map { file in
            let planned = (try? file.content.get()).map { plan(file.name, $0, table, false) }
            let applied = table.scenario?.name == file.name ? table.scenario : nil
            let isFileChanged = applied.map { planned?.edits.contains(.applyScenario($0)) != true } ?? false
            return JSONOutput.object([
                ("name", .string(file.name)), ("changes", .integer(planned?.lines.count { $0.scenario != nil } ?? 0)),
                ("applied", .bool(applied != nil)),
                ("deviation", applied == nil ? .null : .integer(table.deviationCount)),
                ("fileChanged", .bool(isFileChanged)), ("leftOut", Self.json(planned?.leftOut ?? [])),
                ("error", FlagJSON.text(file.error)),
            ])
        }
        return .object([("revision", .integer(table.revision)), ("scenarios", .array(members))])
    }

    /// What applying a scenario would change.
    func previewScenario(_ call: Call) throws -> JSONOutput {
        let isReplacing = try Self.isReplacing(call.parameters["mode"])
        let table = table(of: call.client)
        let file = try scenarioFile(call.key)
        let plan = planner(for: call.client)(file.name, try file.content.get(), table, isReplacing)
        return Self.preview(plan, revision: table.revision)
    }

    /// Applies a scenario, for a body such as `{"mode": "replace", "revision": 12}`, if nobody wrote since that revision.
    func applyScenario(_ call: Call) throws -> JSONOutput {
        let root = try APIError.parsing(call.body, orThrow: .usage, " Nothing was changed.")
        let isReplacing = try Self.isReplacing(root["mode"]?.text?.string)
        guard let revision = root["revision"]?.wholeNumber else {
            throw APIError(
                .usage, "The request body needs the \"revision\" of the preview that it follows. Nothing was changed.")
        }
        let (file, plan) = (try scenarioFile(call.key), planner(for: call.client))
        let entries = try file.content.get()
        try requireApp(toEnd: entries.lives.values, for: call.client)
        return try change(for: call.client, ["\(file.name) is applied."]) {
            var newPreview: JSONOutput?
            let commit = try overrideStore(of: call.client).apply { table in
                let plan = plan(file.name, entries, table, isReplacing)
                guard table.revision != revision else { return plan.edits }
                newPreview = Self.preview(plan, revision: table.revision)
                return []
            }
            guard let newPreview else { return commit }
            throw APIError(
                .conflict,
                "The changes are not the ones that were shown: somebody made others meanwhile. "
                    + "Nothing was changed; look at the new preview.",
                preview: hidingSecrets(newPreview, in: call))
        }
    }

    /// The scenario that was applied last, and how many changes deviate from it.
    static func json(appliedIn table: OverrideTable) -> JSONOutput {
        guard let scenario = table.scenario else { return .null }
        return .object([("name", .string(scenario.name)), ("deviation", .integer(table.deviationCount))])
    }

    /// The saved changes, shared or of one client.
    func table(of client: String?) -> OverrideTable {
        guard let client else { return store.contents.overrideFile?.table ?? OverrideTable() }
        return sets.hasSet(of: client)
            ? (try? sets.store(of: client))?.read().table ?? OverrideTable() : OverrideTable()
    }

    /// Requires a running app if an override is to end with it: otherwise it would end at once.
    func requireApp(toEnd lives: some Sequence<OverrideLife>, for client: String?) throws {
        guard lives.contains(.untilRestart), try !overrideStore(of: client).isAppRunning else { return }
        throw APIError(
            .usage,
            "No app has announced itself here, so nothing can end when it restarts. Nothing was changed; use a "
                + "duration such as \"2h\".")
    }

    private func scenarioFile(_ name: String) throws -> ScenarioFile {
        if let file = scenarios?.scenario(name) { return file }
        let hint = NearestKeys.suggestion(about: name, among: (scenarios?.all() ?? []).lazy.map(\.name), naming: 3)
        throw APIError(.notFound, "\(JSONOutput.quoted(name, limit: 60)) is not a scenario.\(hint)")
    }

    private static func isReplacing(_ mode: String?) throws(APIError) -> Bool {
        if mode == "add" || mode == "replace" { return mode == "replace" }
        throw APIError(
            .usage, "\"mode\" must be \"add\" or \"replace\": whether other changes stay. Nothing was changed.")
    }

    private typealias Planner = (String, ImportEntries, OverrideTable, _ isReplacing: Bool) -> ScenarioPlan

    /// Returns what plans to apply scenarios to the current flags of a client.
    private func planner(for client: String?) -> Planner {
        let board = evaluations(for: client).board
        // Overrides do not make a key known.
        let known = FlagBoard(snapshot: board.snapshot, launch: [:], overrides: [:])
        // A client has no contexts of its own.
        let sources = client == nil ? store.remoteReading.sources.evaluations.map(\.source) : []
        return { name, entries, table, isReplacing in
            ScenarioPlan(name, known.plan(entries, for: sources), over: table, replacing: isReplacing) {
                board.facts(of: FlagText($0))
            }
        }
    }

    private static func preview(_ plan: ScenarioPlan, revision: Int) -> JSONOutput {
        let lines = plan.lines.map { line in
            JSONOutput.object([
                ("key", .string(line.key)), ("now", FlagJSON.text(line.now)),
                ("scenario", FlagJSON.text(line.scenario)),
                ("after", FlagJSON.text(line.after)),
                ("effect", line.effect == .keep ? .null : .string(line.effect.rawValue)),
            ])
        }
        return .object([
            ("name", .string(plan.name)), ("mode", .string(plan.isReplacing ? "replace" : "add")),
            ("revision", .integer(revision)), ("summary", .string(plan.summary)), ("lines", .array(lines)),
            ("leftOut", json(plan.leftOut)),
        ])
    }

    private static func json(_ leftOut: [BulkPlan.Exception]) -> JSONOutput {
        .array(leftOut.map { .object([("key", .string($0.key)), ("reason", .string($0.reason))]) })
    }
}
#endif
