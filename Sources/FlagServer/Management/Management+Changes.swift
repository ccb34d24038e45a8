#if Server
import FlagModel
import FlagQueries
import FlagStorage
import Flags

/// A request to override a flag.
struct SetRequest: Sendable {
    let value: String
    /// Whether a value is allowed that is invalid for the flag.
    let allowsAny: Bool
    /// Whether a key is allowed that no document lists.
    let allowsNew: Bool

    /// Reads a body such as `{"value": "true"}`.
    init(body: [UInt8]) throws(APIError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: body).root
        } catch {
            throw APIError(.usage, "The request body is not JSON: \(error.description.asSentence) Nothing was changed.")
        }
        // Other kinds are accepted as the text that they are stored as: `true`, `12`, an object.
        guard root.kind == .object, let value = root["value"]?.flagText?.string else {
            throw APIError(
                .usage, "The request body needs a \"value\", such as {\"value\": \"true\"}. Nothing was changed.")
        }
        self.value = value
        allowsAny = try Self.flag("any", in: root)
        allowsNew = try Self.flag("new", in: root)
    }

    private static func flag(_ name: String, in root: JSONValue) throws(APIError) -> Bool {
        guard let member = root[name] else { return false }
        guard let bool = member.bool else {
            throw APIError(.usage, "\"\(name)\" must be true or false. Nothing was changed.")
        }
        return bool
    }
}

// Changes of overrides. They wait for other writers and for the disk, so they run on threads of their own.
extension Management {
    /// Overrides a flag.
    func set(_ key: String, _ request: SetRequest, for client: String?) throws(APIError) -> JSONOutput {
        let board = flags.evaluations(for: client).board
        var (value, notes) = (request.value, [String]())
        if let facts = board.knownFacts(of: key) {
            do throws(InvalidText) {
                value = try facts.valueToStore(value, allowsAny: request.allowsAny, option: "\"any\": true")
            } catch {
                throw APIError(.invalidValue, error.sentence)
            }
            notes = facts.consequence(ofStoring: value).map { [$0] } ?? []
        } else if key.isEmpty || !request.allowsNew {
            throw APIError(
                .notFound, "\(board.sentence(onUnknown: key)) Nothing was changed; \"new\": true sets it anyway.")
        }
        let edit = OverrideEdit.set(key: key, value: value)
        return try change(for: client, notes) { store throws(StorageError) in try store.apply([edit]) }
    }

    /// Clears the override of a flag, or all overrides.
    func clear(_ key: String?, for client: String?) throws(APIError) -> JSONOutput {
        let board = flags.evaluations(for: client).board
        if let key, board.knownFacts(of: key) == nil {
            throw APIError(.notFound, "\(board.sentence(onUnknown: key)) Nothing was changed.")
        }
        if let client, !sets.hasSet(of: client) {
            if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
            return response([], [])
        }
        return try change(for: client) { store throws(StorageError) in
            try store.apply([key.map { .clear(key: $0) } ?? .clearAll])
        }
    }

    /// Undoes the last change.
    func undo(for client: String?) throws(APIError) -> JSONOutput {
        try checkHistory(of: client, "undo")
        return try change(for: client) { store throws(StorageError) in try store.undo() }
    }

    /// Redoes the last undo.
    func redo(for client: String?) throws(APIError) -> JSONOutput {
        try checkHistory(of: client, "redo")
        return try change(for: client) { store throws(StorageError) in try store.redo() }
    }

    /// Requires that a client has ever had an override of its own.
    private func checkHistory(of client: String?, _ action: String) throws(APIError) {
        guard let client, !sets.hasSet(of: client) else { return }
        let name = JSONOutput.quoted(client, limit: 40)
        throw APIError(.nothingToUndo, "Nothing to \(action): the client \(name) never had overrides of its own.")
    }

    /// Performs a write; the flags have its effect when this returns.
    ///
    /// - Parameter moreNotes: notes for the user, a sentence each.
    private func change(
        for client: String?, _ moreNotes: [String] = [], _ write: (OverrideStore) throws(StorageError) -> StoreCommit
    ) throws(APIError) -> JSONOutput {
        if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
        let oldBoard = flags.evaluations(for: client).board
        let commit = try commit(write, for: client)
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

    /// Writes the overrides of a client or the shared ones, and reads them again.
    private func commit(
        _ write: (OverrideStore) throws(StorageError) -> StoreCommit, for client: String?
    ) throws(APIError) -> StoreCommit {
        guard let result = try inStore(of: client, write) else {
            throw APIError(.readOnly, "The overrides of this server are not saved, so they cannot be changed here.")
        }
        guard client == nil else { return result }
        store.readOverrides()
        // Another thread may deliver the change to the served flags later.
        flags.update()
        return result
    }
}
#endif
