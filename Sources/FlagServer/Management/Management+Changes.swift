#if Server
import FlagModel
import FlagQueries
import FlagStorage
import Flags

// Changes of overrides.
extension Management {
    /// Overrides a flag, for a body such as `{"value": "true"}`.
    func set(_ call: Call) throws(APIError) -> JSONOutput {
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
            do throws(InvalidText) {
                value = try facts.valueToStore(value, allowsAny: allowsAny, option: "\"any\": true")
            } catch {
                throw APIError(.invalidValue, error.sentence)
            }
            notes = facts.consequence(ofStoring: value).map { [$0] } ?? []
        } else if key.isEmpty || !allowsNew {
            throw APIError(
                .notFound, "\(board.sentence(onUnknown: key)) Nothing was changed; \"new\": true sets it anyway.")
        }
        let edit = OverrideEdit.set(key: key, value: value)
        return try change(for: call.client, notes) { store throws(StorageError) in try store.apply([edit]) }
    }

    private static func flag(_ name: String, in root: JSONValue) throws(APIError) -> Bool {
        guard let member = root[name] else { return false }
        guard let bool = member.bool else {
            throw APIError(.usage, "\"\(name)\" must be true or false. Nothing was changed.")
        }
        return bool
    }

    /// Clears the override of a flag, or all overrides.
    func clear(_ key: String?, for client: String?) throws(APIError) -> JSONOutput {
        let board = flags.evaluations(for: client).board
        if let key, board.knownFacts(of: key) == nil {
            throw APIError(.notFound, "\(board.sentence(onUnknown: key)) Nothing was changed.")
        }
        if let client, !sets.hasSet(of: client) {
            try checkWritable()
            return response([], [])
        }
        return try change(for: client) { store throws(StorageError) in
            try store.apply([key.map { .clear(key: $0) } ?? .clearAll])
        }
    }

    /// Undoes the last change, or redoes the last undo.
    func undo(for client: String?, isRedo: Bool = false) throws(APIError) -> JSONOutput {
        if let client, !sets.hasSet(of: client) {
            let (action, name) = (isRedo ? "redo" : "undo", JSONOutput.quoted(client, limit: 40))
            throw APIError(.nothingToUndo, "Nothing to \(action): the client \(name) never had overrides of its own.")
        }
        return try change(for: client) { store throws(StorageError) in try isRedo ? store.redo() : store.undo() }
    }

    private func checkWritable() throws(APIError) {
        if let reason = readOnlyReason() { throw APIError(.readOnly, reason) }
    }

    /// Performs a write; the flags have its effect when this returns.
    ///
    /// - Parameter moreNotes: notes for the user, a sentence each.
    private func change(
        for client: String?, _ moreNotes: [String] = [], _ write: (OverrideStore) throws(StorageError) -> StoreCommit
    ) throws(APIError) -> JSONOutput {
        try checkWritable()
        let oldBoard = flags.evaluations(for: client).board
        let overrideStore = try overrideStore(of: client)
        let commit: StoreCommit
        do throws(StorageError) { commit = try write(overrideStore) } catch { throw APIError(error) }
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
