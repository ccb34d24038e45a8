#if Server
import FlagModel
import FlagQueries
import Flags
import FlagStorage

/// The management API: lists flags and changes overrides, with the rules of the command line.
struct Management: Sendable {
    let store: FlagStore
    let flags: ServedFlags
    let sets: ClientSets
    let log: ClientLog
    /// Returns why overrides cannot be changed, as a sentence; `nil` if they can.
    let readOnlyReason: @Sendable () -> String?

    /// The state of the server.
    func status(_ call: Call) -> JSONOutput {
        let (moment, now) = (flags.moment, store.now())
        let board = flags.evaluations(for: call.client).board
        let (reason, team) = (readOnlyReason(), store.teamReading)
        let issues =
            [moment.contents.overrideFile?.issue, team?.error(at: now)].compactMap { $0 } + (team?.issues ?? [])
        return .object([
            ("app", .string(store.app)), ("writable", .bool(call.access == .write && reason == nil)),
            ("readOnly", FlagJSON.text(reason)), ("revision", .integer(moment.revision)),
            ("flags", .integer(board.places.count)), ("overrides", .integer(board.values.overrides.count)),
            ("contexts", .array(store.contents.contexts.changes(from: [:]).map(FlagJSON.change))),
            ("sources", .array(store.remoteReading.sources.statuses.map(FlagJSON.source))),
            ("issues", .array(issues.map(JSONOutput.string))),
        ])
    }

    /// The longest filter of a list, in bytes. A filter is compared with every flag, so a long one takes long.
    private static let filterLimit = 1_024

    /// All flags, or those that a filter matches.
    func list(_ call: Call) throws -> JSONOutput {
        let (evaluations, filter) = (flags.evaluations(for: call.client), call.parameters["matching"] ?? "")
        guard filter.utf8.count <= Self.filterLimit else {
            throw APIError(.usage, "matching: a filter has at most \(Self.filterLimit) bytes.")
        }
        let board = evaluations.board
        guard !filter.isEmpty else { return evaluations.list(of: Array(board.places)) }
        do throws(InvalidText) {
            return evaluations.list(of: try board.places(matching: filter, order: .catalog, isOverriddenOnly: false))
        } catch {
            throw APIError(.usage, "matching: \(error.sentence)")
        }
    }

    func flag(_ call: Call) throws -> JSONOutput {
        let evaluations = flags.evaluations(for: call.client)
        return evaluations.listed(try facts(of: call.key, on: evaluations.board))
    }

    private func facts(of key: String, on board: FlagBoard) throws -> FlagFacts {
        if let facts = board.knownFacts(of: key) { return facts }
        throw APIError(.notFound, board.sentence(onUnknown: key))
    }

    /// Why a flag has its value, and the last changes of its override, the newest first.
    func explanation(_ call: Call) throws -> JSONOutput {
        let board = flags.evaluations(for: call.client).board
        let (remote, now) = (store.remoteReading, store.now())
        let content = ExplanationContent(
            try facts(of: call.key, on: board), in: board.snapshot, sources: remote.sources.statuses,
            remote: remote.fetchedAt.map { ExplanationContent.fetched(at: $0, now: now) } ?? "", now: now)
        return .object([
            ("explanation", FlagJSON.explanation(content, apps: [])),
            ("history", .array(try changes(of: call.key, for: call.client))),
        ])
    }

    /// The number of changes that an explanation lists.
    private static let historyLimit = 10

    private func changes(of key: String, for client: String?) throws -> [JSONOutput] {
        let changes = try history(for: client).flatMap { record in
            record.changes.filter { $0.key == key }.map { (record, $0) }
        }
        return changes.prefix(Self.historyLimit).map { record, change in
            .object([
                ("at", .string(record.at.rfc3339)), ("by", .string(record.by)), ("action", .string(record.action)),
                ("old", FlagJSON.text(change.old?.value)), ("new", FlagJSON.text(change.new?.value)),
                ("undone", .bool(record.isUndone)),
            ])
        }
    }

    private func history(for client: String?) throws -> [HistoryRecord] {
        guard client.map(sets.hasSet) ?? (store.overrideStore != nil) else { return [] }
        return try overrideStore(of: client).history()
    }

    /// The store of a client, or the shared one.
    func overrideStore(of client: String?) throws -> OverrideStore {
        if let client { return try sets.store(of: client) }
        if let shared = store.overrideStore { return shared }
        throw APIError(.readOnly, "The overrides of this server are not saved, so they cannot be changed here.")
    }

    func activate() async -> JSONOutput {
        let isChanged = await store.activate()
        flags.update()
        return .object([("revision", .integer(flags.moment.revision)), ("activated", .bool(isChanged))])
    }

    /// The overrides, shared or of one client.
    func overrides(of client: String?) throws -> JSONOutput {
        if let file = flags.moment.contents.overrideFile, !file.areOverridesKnown {
            throw APIError(.store, file.issue ?? "The overrides cannot be read.")
        }
        let overrides = client.map { sets.overrides(of: $0) ?? [:] } ?? store.activeOverrides
        let members = overrides.sortedByKey.map { key, override in
            let members = [
                ("value", .string(override.value)), ("setBy", FlagJSON.text(override.setBy)),
                ("setAt", FlagJSON.text(override.setAt?.rfc3339)),
            ]
            return (key, JSONOutput.object(members))
        }
        return .object([("revision", .integer(flags.moment.revision)), ("overrides", .object(members))])
    }

    /// What each client asked last and what it got, and how many requests got nothing.
    func clients() -> JSONOutput {
        let (counts, entries) = (sets.counts, log.entries)
        func json(_ client: FlagText?, _ entry: ClientLog.Entry?) -> JSONOutput {
            .object([
                ("client", FlagJSON.text(client?.string)), ("lastKey", FlagJSON.text(entry?.lastKey)),
                ("lastValue", FlagJSON.text(entry?.lastValue)),
                ("lastLayer", FlagJSON.text(entry?.lastLayer?.word)),
                ("lastAt", FlagJSON.text(entry.map { FlagTimestamp(milliseconds: $0.lastAt).rfc3339 })),
                ("evaluations", .integer(entry?.count ?? 0)),
                ("overrides", .integer(client.flatMap { counts[$0] } ?? 0)),
            ])
        }
        let silent = Set(counts.keys).subtracting(entries.compactMap(\.client)).sorted()
        return .object([
            ("clients", .array(entries.map { json($0.client, $0.entry) } + silent.map { json($0, nil) })),
            ("rejected", .integer(log.rejections)),
        ])
    }
}

// Changes of overrides.
extension Management {
    /// Overrides a flag, for a body such as `{"value": "true"}`.
    func set(_ call: Call) throws -> JSONOutput {
        let (key, root): (String, JSONValue)
        do throws(JSONError) {
            (key, root) = (call.key, try JSONDocument(parsing: call.body).root)
        } catch {
            throw APIError(.usage, "The request body is not JSON: \(error.description.asSentence) Nothing was changed.")
        }
        // Other kinds are accepted as the text that they are stored as: `true`, `12`, an object.
        guard root.kind == .object, let text = root["value"]?.flagText?.string else {
            throw APIError(
                .usage, "The request body needs a \"value\", such as {\"value\": \"true\"}. Nothing was changed.")
        }
        // Whether a value is allowed that is invalid for the flag, and a key that no document lists.
        let (allowsAny, allowsNew) = (try Self.flag("any", in: root), try Self.flag("new", in: root))
        let board = flags.evaluations(for: call.client).board
        var (value, notes) = (text, [String]())
        if let facts = board.knownFacts(of: key) {
            value = try facts.valueToStore(value, allowsAny: allowsAny, option: "\"any\": true")
            notes = facts.consequence(ofStoring: value).map { [$0] } ?? []
        } else if key.isEmpty || !allowsNew {
            throw APIError(
                .notFound, "\(board.sentence(onUnknown: key)) Nothing was changed; \"new\": true sets it anyway.")
        }
        let edit = OverrideEdit.set(key: key, value: value)
        return try change(for: call.client, notes) { try $0.apply([edit]) }
    }

    private static func flag(_ name: String, in root: JSONValue) throws -> Bool {
        guard let member = root[name] else { return false }
        guard let bool = member.bool else {
            throw APIError(.usage, "\"\(name)\" must be true or false. Nothing was changed.")
        }
        return bool
    }

    /// Clears the override of a flag, or all overrides.
    func clear(_ key: String?, for client: String?) throws -> JSONOutput {
        let board = flags.evaluations(for: client).board
        if let key, board.knownFacts(of: key) == nil {
            throw APIError(.notFound, "\(board.sentence(onUnknown: key)) Nothing was changed.")
        }
        if let client, !sets.hasSet(of: client) {
            try checkWritable()
            return response([], [])
        }
        return try change(for: client) { try $0.apply([key.map { .clear(key: $0) } ?? .clearAll]) }
    }

    /// Undoes the last change, or redoes the last undo.
    func undo(for client: String?, isRedo: Bool = false) throws -> JSONOutput {
        if let client, !sets.hasSet(of: client) {
            let (action, name) = (isRedo ? "redo" : "undo", JSONOutput.quoted(client, limit: 40))
            throw APIError(.nothingToUndo, "Nothing to \(action): the client \(name) never had overrides of its own.")
        }
        return try change(for: client) { try isRedo ? $0.redo() : $0.undo() }
    }

    private func checkWritable() throws {
        if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
    }

    /// Performs a write; the flags have its effect when this returns.
    ///
    /// - Parameter moreNotes: notes for the user, a sentence each.
    private func change(
        for client: String?, _ moreNotes: [String] = [], _ write: (OverrideStore) throws -> StoreCommit
    ) throws -> JSONOutput {
        try checkWritable()
        let oldBoard = flags.evaluations(for: client).board
        let commit = try write(overrideStore(of: client))
        if client == nil {
            store.readOverrides()
            // Another thread may deliver the change to the served flags later.
            flags.update()
        }
        let board = flags.evaluations(for: client).board
        let effects = commit.changes.map { change in
            EffectiveChange(old: oldBoard.facts(of: FlagText(change.key)), new: board.facts(of: FlagText(change.key)))
        }
        let notes = commit.changes.count == 1 ? board.changeNotes(for: commit.changes[0].key) : []
        return response(effects, [commit.notice].compactMap { $0 } + notes + moreNotes)
    }

    private func response(_ effects: [EffectiveChange], _ notes: [String]) -> JSONOutput {
        .object([
            ("revision", .integer(flags.moment.revision)), ("changes", .array(effects.map(FlagJSON.change))),
            ("notes", .array(notes.map(JSONOutput.string))),
        ])
    }
}
#endif
