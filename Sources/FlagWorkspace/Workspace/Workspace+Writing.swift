package import FlagModel
import FlagQueries
import FlagRemote
package import FlagStorage

extension Workspace {
    /// Applies edits and prints the changes.
    ///
    /// - Parameter allowsAny: whether to set values that are not cases of an enumeration in a running app.
    /// - Throws: an error if the store cannot be written, or if a value is not such a case.
    @discardableResult
    package func apply(
        _ edits: [OverrideEdit], label: String? = nil, allowsAny: Bool = false
    ) throws(CommandFailure) -> StoreCommit {
        if !allowsAny { try requireCases(for: edits) }
        return try reporting { store throws(StorageError) in
            try store.apply(edits, label: label ?? edits.label)
        }
    }

    /// Applies the edits that `decide` returns for the current changes, under the store's lock, and prints what changed.
    @discardableResult
    package func apply(
        label: String, deciding decide: (OverrideTable) -> [OverrideEdit]
    ) throws(CommandFailure) -> StoreCommit {
        try reporting { store throws(StorageError) in
            try store.apply(label: label, deciding: decide)
        }
    }

    /// Performs a write and prints its changes.
    private func reporting(
        _ write: (OverrideStore) throws(StorageError) -> StoreCommit
    ) throws(CommandFailure) -> StoreCommit {
        let commit: StoreCommit
        do throws(StorageError) {
            commit = try write(store)
        } catch {
            throw run.failure(of: error)
        }
        report(commit)
        settings.warn(warnings(about: commit))
        return commit
    }

    /// Prints a commit to standard error, `key: old -> new (was LAYER)`, and as JSON if requested.
    package func report(_ commit: StoreCommit) {
        if let notice = commit.notice { StandardError.warn(notice) }
        let effects = EffectiveChange.all(commit.changes, overrides: commit.table.overrides, on: board)
        if settings.isJSON {
            JSONOutput.object([
                ("revision", .integer(commit.table.revision)), ("changes", .array(effects.map(FlagJSON.change))),
                ("contexts", .array(commit.contextChanges.map(FlagJSON.change))),
            ]).print()
        }
        guard !settings.isQuiet else { return }
        for (effect, change) in zip(effects, commit.changes) where change.isOfValue {
            StandardError.printLine(effect.sentence)
        }
        commit.changes.additions(at: commit.record?.at ?? SourceClock.system.now()).forEach(StandardError.printLine)
        for change in commit.contextChanges { StandardError.printLine(change.sentence) }
    }

    /// The notes and ends that edits of some overrides would change; a line for flags with the same ones.
    package func additions(by edits: [OverrideEdit], to old: FlagTable<FlagOverride>) -> [String] {
        let now = SourceClock.system.now()
        return old.applying(edits, at: ClockReading(now: now)).changes(from: old).additions(at: now)
    }
}

extension [OverrideChange] {
    /// The new notes and ends; a line for flags with the same ones.
    fileprivate func additions(at now: FlagTimestamp) -> [String] {
        var keys: [String: [String]] = [:]
        for change in self { keys[change.additions(at: now), default: []].append(change.key) }
        return keys.filter { !$0.key.isEmpty }.sorted { $0.value[0] < $1.value[0] }.map { words, keys in
            "\(keys.count == 1 ? keys[0] : "\(keys.count) flags, each"): \(words)"
        }
    }
}

extension OverrideChange {
    /// The new note and end in words, with the local time; empty if these have not changed.
    func additions(at now: FlagTimestamp) -> String {
        additions { $0.localWords(at: now) }.joined(separator: ", ")
    }
}

extension OverrideEnd {
    /// When the override ends, with the time in this machine's time zone: `ends in 2 h (2026-11-29 18:00 CET)`.
    fileprivate func localWords(at now: FlagTimestamp) -> String {
        guard let time else { return words(at: now) }
        let local = time.local
        let isTomorrow = local.date == FlagTimestamp(seconds: now.seconds + 86_400).local.date
        return words(at: now) + (isTomorrow ? ", tomorrow" : "")
            + " (\(local.date) \(local.time.prefix(5)) \(time.localZone.name))"
    }
}
