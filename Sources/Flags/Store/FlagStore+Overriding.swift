public import FlagModel
public import FlagStorage
import Logging
import Synchronization

// Overriding from within the app. The app and the menu use the same files and see each other's changes.
//
// Setting an override waits for other writers and until the file is on disk: usually milliseconds, up to ten seconds if
// another process has the lock. An app with a user interface should set overrides in a task.
extension FlagStore {
    /// The active overrides, by key; empty if overrides are closed.
    public var activeOverrides: FlagTable<FlagOverride> { contents.values.overrides }

    /// The active overrides now and after each change, for showing that flags are overridden. A slow reader gets only
    /// the newest overrides. They are also sent if no effective value changes, and if the override file becomes
    /// unreadable or readable again; see ``issues``.
    public var overrideUpdates: AsyncStream<FlagTable<FlagOverride>> {
        updates(of: \.values.overrides) { change in
            change.layers.contains(.override) || change.old.overrideFile?.issue != change.new.overrideFile?.issue
        }.stream
    }

    /// A text for a banner while overrides are active: `3 overrides: a, b, c`; `nil` if there are none.
    public var overrideBanner: String? {
        let keys = activeOverrides.sortedByKey.map(\.key)
        guard !keys.isEmpty else { return nil }
        let shown = keys.prefix(3).map { JSONOutput.quoted($0, limit: 60).dropFirst().dropLast() }.joined(
            separator: ", ")
        return "\(keys.count) \(keys.count == 1 ? "override" : "overrides"): \(shown)"
            + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
    }

    /// Warnings about files, sources and invalid texts, one sentence each. Flags can be read regardless.
    public var issues: [String] {
        let (files, contents, readers) = state.withLock {
            ([launchIssue, $0.contents.overrideFile?.issue, $0.contents.watchError], $0.contents, $0.readFlags)
        }
        let documents = contents.remote.snapshot.issues.map(\.description)
        let refused = readers.values.flatMap { $0.outcome(in: contents.values).refused }.sorted { $0.key < $1.key }
        let error = contents.team.error.map { "\($0.asSentence) The team's last values stay in use." }
        let team = [error].compactMap { $0 } + contents.team.issues
        return files.compactMap { $0 } + contents.remote.sources.errors + team + documents + refused.map(\.sentence)
    }

    /// Overrides a declared flag; returns when the override is on disk and readable. Must not be called while a flag's
    /// value is decoded, such as in `init(from:)`.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved, or an error of encoding the value.
    ///   Nothing is changed on an error.
    public func setOverride<Value>(_ key: FlagKey<Value>, to value: Value) throws {
        try setOverride(key.name, to: try key.declaration.coding.write(value))
    }

    /// Overrides a key with a text; returns when the override is on disk and readable.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func setOverride(_ key: String, to text: String) throws(StorageError) {
        try edit([.set(key: key, value: text)])
    }

    /// Overrides several flags, as one action that undo reverts; returns when the overrides are on disk and readable.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func setOverrides(_ settings: [FlagSetting]) throws(StorageError) {
        try edit(settings.map { .set(key: $0.name, value: $0.text) })
    }

    /// Removes the override of a flag, so that the current remote value is in use again.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverride<Value>(_ key: FlagKey<Value>) throws(StorageError) { try clearOverride(key.name) }

    /// Removes the override of a key.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverride(_ key: String) throws(StorageError) { try edit([.clear(key: key)]) }

    /// Removes all overrides.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverrides() throws(StorageError) { try edit([.clearAll]) }

    /// The error of a change to a build that does not allow changes.
    var closedError: StorageError {
        StorageError(
            code: .refused, path: app,
            sentence: "This build of \(app) does not allow overrides; nothing was changed. See OverrideAccess.")
    }

    private func edit(_ edits: [OverrideEdit]) throws(StorageError) {
        guard access.isOpen else { throw closedError }
        guard let overrides else {
            replaceContents(.written) { contents in
                contents.replaceOverrides(edits.reduce(into: contents.values.overrides) { $0.apply($1) })
            }
            return publish()
        }
        _ = try overrides.apply(edits)
        // Before this function returns. A menu in this process shows what was read, not what others have written.
        readOverrides()
    }

    /// Logs one line if overrides are active.
    func announceOverrides() {
        guard let banner = overrideBanner else { return }
        let isOne = activeOverrides.count == 1
        let effect = isOne ? "It wins over remote until it is" : "They win over remote until they are"
        logger.notice("\(app) runs with \(banner). \(effect) reset.")
    }
}
