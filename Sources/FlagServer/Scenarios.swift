#if Server
import FlagModel
import FlagQueries
import FlagStorage
import Flags

// Scenarios: which there are, what one would change, applying it as it was shown, and changes of their files.
extension ServedFlags {
    /// All scenarios: how many changes each has, whether it is applied, and what of it cannot be applied any more.
    func listScenarios(_ call: Call) -> JSONOutput {
        let (table, plan) = (table(of: call.client), planner(for: call.client))
        let members = (scenarios?.all() ?? []).map { file in
            FlagJSON.scenario(file, try? plan(file, table, false), over: table)
        }
        return .object([("revision", .integer(table.revision)), ("scenarios", .array(members))])
    }

    /// What applying a scenario would change.
    func previewScenario(_ call: Call) throws -> JSONOutput {
        let isReplacing = try Self.isReplacing(call.parameters["mode"])
        let table = table(of: call.client)
        let plan = try planner(for: call.client)(scenarioFolders().existing(call.key), table, isReplacing)
        return FlagJSON.preview(plan, revision: table.revision)
    }

    /// Applies a scenario, for a body such as `{"mode": "replace", "revision": 12}`, if nobody wrote since that revision.
    func applyScenario(_ call: Call) throws -> JSONOutput {
        let root = try APIError.parsing(call.body, orThrow: .usage, " Nothing was changed.")
        let isReplacing = try Self.isReplacing(root["mode"]?.text?.string)
        guard let revision = root["revision"]?.wholeNumber else {
            throw APIError(
                .usage, "The request body needs the \"revision\" of the preview that it follows. Nothing was changed.")
        }
        let (file, plan) = (try scenarioFolders().existing(call.key), planner(for: call.client))
        _ = try file.content.get()
        return try change(for: call.client, ["\(file.name) is applied."]) {
            var newPreview: JSONOutput?
            let commit = try overrideStore(of: call.client).apply { table in
                guard let plan = try? plan(file, table, isReplacing) else { return [] }
                guard table.revision != revision else { return plan.edits }
                newPreview = FlagJSON.preview(plan, revision: table.revision)
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

    /// Saves the changes as a scenario, for a body such as `{"replace": true, "withNotes": true}`.
    func saveScenario(_ call: Call) throws -> JSONOutput {
        let root = try APIError.parsing(call.body, orThrow: .usage, " Nothing was saved.")
        guard root.kind == .object else {
            throw APIError(.usage, "The request body must be a JSON object, such as {}. Nothing was saved.")
        }
        let (isReplacing, withNotes) = (try Self.flag("replace", in: root), try Self.flag("withNotes", in: root))
        let sources = store.remoteReading.sources
        let source = sources.statuses.map(\.title).joined(separator: ", ")
        let overrides = table(of: call.client).overrides
        let warning = secrets().warning(about: "scenario", with: overrides, in: shared.board.catalog)
        return try changeScenario(call, notes: [warning].compactMap { $0 }) {
            try $0.save(
                overrideStore(of: call.client).read(), as: call.key, app: store.app, source: source,
                evaluations: sources.evaluations, at: store.now(), isReplacing: isReplacing, withNotes: withNotes)
        }
    }

    /// Gives a scenario another name, for a body such as `{"name": "checkout"}`.
    func renameScenario(_ call: Call) throws -> JSONOutput {
        let root = try APIError.parsing(call.body, orThrow: .usage, " Nothing was renamed.")
        guard let name = root["name"]?.text?.string else {
            throw APIError(.usage, "The request body needs the new \"name\". Nothing was renamed.")
        }
        return try changeScenario(call) { try $0.rename(call.key, to: name, in: overrideStore(of: call.client)) }
    }

    func deleteScenario(_ call: Call) throws -> JSONOutput { try changeScenario(call) { try $0.delete(call.key) } }

    private func changeScenario(
        _ call: Call, notes: [String] = [], _ change: (ScenarioFolders) throws -> ScenarioFolders.Change
    ) throws -> JSONOutput {
        var sentence = ""
        return try self.change(for: call.client, [sentence] + notes) {
            sentence = try change(scenarioFolders()).sentence
            return nil
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

    private func scenarioFolders() throws(APIError) -> ScenarioFolders {
        if let scenarios { return scenarios }
        throw APIError(.notFound, "The overrides of this server are not saved, so it has no scenarios.")
    }

    private static func isReplacing(_ mode: String?) throws(APIError) -> Bool {
        if mode == "add" || mode == "replace" { return mode == "replace" }
        throw APIError(
            .usage, "\"mode\" must be \"add\" or \"replace\": whether other changes stay. Nothing was changed.")
    }

    private typealias Planner = (ScenarioFile, OverrideTable, _ isReplacing: Bool) throws(InvalidText) -> ScenarioPlan

    /// Returns what plans to apply scenarios to the current flags of a client.
    private func planner(for client: String?) -> Planner {
        let board = evaluations(for: client).board
        // A client has no contexts of its own.
        let sources = client == nil ? store.remoteReading.sources.evaluations : []
        return { file, table, isReplacing throws(InvalidText) in
            try board.plan(file, for: sources, over: table, replacing: isReplacing)
        }
    }
}
#endif
