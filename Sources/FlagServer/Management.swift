#if Server
import FlagModel
import FlagQueries
import Flags
import FlagStorage

// The management API: lists flags and changes overrides, with the rules of the command line.
extension ServedFlags {
    /// The state of the server.
    func status(_ call: Call) -> JSONOutput {
        let evaluations = evaluations(for: call.client)
        let (board, contents, now) = (evaluations.board, store.contents, store.now())
        let (reason, team) = (readOnlyReason(), store.teamReading)
        let issues = [contents.overrideFile?.issue, team?.error(at: now)].compactMap { $0 } + (team?.issues ?? [])
        return .object([
            ("app", .string(store.app)), ("writable", .bool(call.access == .write && reason == nil)),
            ("readOnly", FlagJSON.text(reason)), ("revision", .integer(evaluations.revision)),
            ("flags", .integer(board.places.count)), ("overrides", .integer(board.values.overrides.count)),
            ("scenario", Self.json(appliedIn: table(of: call.client))),
            ("contexts", .array(contents.contexts.changes(from: [:]).map(FlagJSON.change))),
            ("sources", .array(contents.remote.sources.statuses.map(FlagJSON.source))),
            ("issues", .array(issues.map(JSONOutput.string))),
        ])
    }

    /// The longest filter of a list, in bytes. A filter is compared with every flag, so a long one takes long.
    private static let filterLimit = 1_024

    /// All flags, or those that a filter matches.
    func list(_ call: Call) throws -> JSONOutput {
        let (evaluations, filter) = (evaluations(for: call.client), call.parameters["matching"] ?? "")
        guard filter.utf8.count <= Self.filterLimit else {
            throw APIError(.usage, "matching: a filter has at most \(Self.filterLimit) bytes.")
        }
        let board = evaluations.board
        do throws(InvalidText) {
            return evaluations.list(of: try filter.isEmpty ? Array(board.places) : board.places(matching: filter))
        } catch {
            throw APIError(.usage, "matching: \(error.sentence)")
        }
    }

    func flag(_ call: Call) throws -> JSONOutput {
        let evaluations = evaluations(for: call.client)
        return evaluations.listed(try facts(of: call.key, on: evaluations.board))
    }

    /// - Parameter consequence: the end of the error if the key is unknown.
    private func facts(of key: String, on board: FlagBoard, _ consequence: String = "") throws -> FlagFacts {
        if let facts = board.knownFacts(of: key) { return facts }
        throw APIError(.notFound, board.sentence(onUnknown: key) + consequence)
    }

    /// The number of changes that an explanation lists.
    private static let historyLimit = 10

    /// Why a flag has its value, and the last changes of its override, the newest first.
    func explanation(_ call: Call) throws -> JSONOutput {
        let board = evaluations(for: call.client).board
        let (remote, now) = (store.remoteReading, store.now())
        let content = ExplanationContent(
            try facts(of: call.key, on: board), in: board.snapshot, sources: remote.sources.statuses,
            remote: remote.fetchedAt.map { ExplanationContent.fetched(at: $0, now: now) } ?? "", now: now)
        let hasHistory = call.client.map(sets.hasSet) ?? (store.overrides != nil)
        let history = hasHistory ? try overrideStore(of: call.client).history() : []
        let changes = history.flatMap { record in
            record.changes.filter { $0.key == call.key }.map { change in
                JSONOutput.object([
                    ("at", .string(record.at.rfc3339)), ("by", .string(record.by)), ("action", .string(record.action)),
                    ("change", .string(change.sentence)), ("old", FlagJSON.text(change.old?.value)),
                    ("new", FlagJSON.text(change.new?.value)), ("undone", .bool(record.isUndone)),
                ])
            }
        }
        return .object([
            ("explanation", FlagJSON.explanation(content, apps: [])),
            ("history", .array(Array(changes.prefix(Self.historyLimit)))),
        ])
    }

    /// The store of a client, or the shared one.
    func overrideStore(of client: String?) throws -> OverrideStore {
        if let client { return try sets.store(of: client) }
        if let shared = store.overrides { return shared }
        throw APIError(.readOnly, "The overrides of this server are not saved, so they cannot be changed here.")
    }

    func activate() async throws -> JSONOutput {
        if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
        let isChanged = await store.activate()
        update()
        return .object([("revision", .integer(shared.revision)), ("activated", .bool(isChanged))])
    }

    /// The overrides, shared or of one client.
    func overrides(of client: String?) throws -> JSONOutput {
        if let file = store.contents.overrideFile, !file.areOverridesKnown {
            throw APIError(.store, file.issue ?? "The overrides cannot be read.")
        }
        let overrides = client.map { sets.overrides(of: $0) ?? [:] } ?? store.activeOverrides
        let members = overrides.sortedByKey.map { key, override in
            (key, JSONOutput.object([("value", .string(override.value))] + FlagJSON.authorAndTimes(of: override)))
        }
        return .object([("revision", .integer(shared.revision)), ("overrides", .object(members))])
    }

    /// What each client asked last and what it got, and how many requests got nothing.
    func clients() -> JSONOutput {
        let (counts, entries) = (sets.counts, log.entries)
        let silent = Set(counts.keys).subtracting(entries.compactMap(\.client)).sorted()
        let all = entries.map { ($0.client, Optional($0.entry)) } + silent.map { ($0, nil) }
        let clients = all.map { client, entry in
            JSONOutput.object([
                ("client", FlagJSON.text(client?.string)), ("lastKey", FlagJSON.text(entry?.lastKey)),
                ("lastValue", FlagJSON.text(entry?.lastValue)),
                ("lastLayer", FlagJSON.text(entry?.lastLayer?.word)),
                ("lastAt", FlagJSON.text(entry.map { FlagTimestamp(milliseconds: $0.lastAt).rfc3339 })),
                ("evaluations", .integer(entry?.count ?? 0)),
                ("overrides", .integer(client.flatMap { counts[$0] } ?? 0)),
            ])
        }
        return .object([("clients", .array(clients)), ("rejected", .integer(log.rejections))])
    }
}

// Changes of overrides.
extension ServedFlags {
    /// Overrides a flag, for a body such as `{"value": "true", "note": "BUG-4711", "for": "2h"}`. Without a value, only
    /// the note and the end of an override change.
    func set(_ call: Call) throws -> JSONOutput {
        let root = try APIError.parsing(call.body, orThrow: .usage, " Nothing was changed.")
        let additions = try additions(in: root, to: call)
        if root["value"] == nil, !additions.isEmpty, table(of: call.client).overrides[call.key] != nil {
            return try change(for: call.client) {
                try overrideStore(of: call.client).apply(additions, label: additions.label)
            }
        }
        // Other kinds are accepted as the text that they are stored as: `true`, `12`, an object.
        guard root.kind == .object, let text = root["value"]?.flagText?.string else {
            throw APIError(
                .usage, "The request body needs a \"value\", such as {\"value\": \"true\"}. Nothing was changed.")
        }
        // Whether a value is allowed that is invalid for the flag, and a key that no document lists.
        let (allowsAny, allowsNew) = (try Self.flag("any", in: root), try Self.flag("new", in: root))
        let board = evaluations(for: call.client).board
        var (value, notes) = (text, [String]())
        if !allowsNew || board.knownFacts(of: call.key) != nil {
            let facts = try facts(of: call.key, on: board, " Nothing was changed; \"new\": true sets it anyway.")
            value = try facts.valueToStore(value, allowsAny: allowsAny, option: "\"any\": true")
            notes = facts.consequence(ofStoring: value).map { [$0] } ?? []
        }
        return try change(for: call.client, notes) {
            try overrideStore(of: call.client).apply([.set(key: call.key, value: value)] + additions)
        }
    }

    /// The edits of the note and the end of an override that a body asks for.
    private func additions(in root: JSONValue, to call: Call) throws -> [OverrideEdit] {
        var edits: [OverrideEdit] = []
        if let note = root["note"] {
            guard let text = note.text?.string else {
                throw APIError(.usage, "\"note\" must be a text. Nothing was changed.")
            }
            edits.append(.note(key: call.key, text.trimmed))
        }
        if let duration = root["for"] {
            let text = duration.text?.string ?? ""
            guard let life = OverrideLife(withoutTime: text) else {
                throw APIError(
                    .usage,
                    "\"for\" must be a duration such as \"2h\", or \"restart\" or \"never\". Nothing was changed.")
            }
            guard try life != .untilRestart || overrideStore(of: call.client).isAppRunning else {
                throw APIError(
                    .usage,
                    "No app has announced itself here, so nothing can end when it restarts. Nothing was changed; use "
                        + "a duration such as \"2h\".")
            }
            edits.append(.end(key: call.key, life))
        }
        return edits
    }

    static func flag(_ name: String, in root: JSONValue) throws -> Bool {
        guard let member = root[name] else { return false }
        guard let bool = member.bool else {
            throw APIError(.usage, "\"\(name)\" must be true or false. Nothing was changed.")
        }
        return bool
    }

    /// Clears the override of a flag, or all overrides.
    func clear(_ key: String?, for client: String?) throws -> JSONOutput {
        let board = evaluations(for: client).board
        if let key { _ = try facts(of: key, on: board, " Nothing was changed.") }
        return try change(for: client) {
            if let client, !sets.hasSet(of: client) { return nil }
            return try overrideStore(of: client).apply([key.map { .clear(key: $0) } ?? .clearAll])
        }
    }

    /// Undoes the last change, or redoes the last undo.
    func undo(for client: String?, isRedo: Bool = false) throws -> JSONOutput {
        if let client, !sets.hasSet(of: client) {
            let (action, name) = (isRedo ? "redo" : "undo", JSONOutput.quoted(client, limit: 40))
            throw APIError(.nothingToUndo, "Nothing to \(action): the client \(name) never had overrides of its own.")
        }
        return try change(for: client) {
            let store = try overrideStore(of: client)
            return try isRedo ? store.redo() : store.undo()
        }
    }

    /// Performs a write; the flags have its effect when this returns.
    ///
    /// - Parameters:
    ///   - moreNotes: notes for the user, a sentence each, after the write.
    ///   - write: returns `nil` if it changes nothing.
    func change(
        for client: String?, _ moreNotes: @autoclosure () -> [String] = [], _ write: () throws -> StoreCommit?
    ) throws -> JSONOutput {
        if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
        let oldBoard = evaluations(for: client).board
        let commit = try write()
        if client == nil {
            store.readOverrides()
            // Another thread may deliver the change to the served flags later.
            update()
        }
        let (board, changes) = (evaluations(for: client).board, commit?.changes ?? [])
        let effects = changes.map { change in
            EffectiveChange(old: oldBoard.facts(of: FlagText(change.key)), new: board.facts(of: FlagText(change.key)))
        }
        let notes = changes.count == 1 ? board.changeNotes(for: changes[0].key) : []
        return .object([
            ("revision", .integer(shared.revision)), ("changes", .array(effects.map(FlagJSON.change))),
            ("notes", .array(([commit?.notice].compactMap { $0 } + notes + moreNotes()).map(JSONOutput.string))),
        ])
    }
}
#endif
