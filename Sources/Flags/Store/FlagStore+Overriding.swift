public import FlagModel
public import FlagStorage
import Logging
import Synchronization

// Overriding from within the app. The files are those that the menu changes, so both see each other's changes.
//
// An override writes a file and waits until it is on disk, behind other writers: usually milliseconds, up to ten
// seconds if another process has the lock. An app with a screen should do it in a task.
extension FlagStore {
    /// The active overrides, by key; empty if overrides are closed.
    public var activeOverrides: [String: Override] { state.withLock { $0.contents.values.overrides } }

    /// The active overrides now and after each change, even if it changes no effective value, and if their file becomes
    /// unreadable or readable again, see ``problems``. For showing that something is overridden. A slow reader gets the
    /// newest.
    public var overrideUpdates: AsyncStream<[String: Override]> {
        updates(of: \.contents.values.overrides, \.overrideFeeds)
    }

    /// A text for a banner while overrides are active: `3 overrides: a, b, c`; `nil` if there are none.
    public var overrideBanner: String? {
        let keys = activeOverrides.keys.sorted()
        guard !keys.isEmpty else { return nil }
        let shown = keys.prefix(3).map { JSONOutput.quoted($0, limit: 60).dropFirst().dropLast() }.joined(
            separator: ", ")
        return "\(keys.count) \(keys.count == 1 ? "override" : "overrides"): \(shown)"
            + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
    }

    /// Warnings, one sentence each; empty if there are none. Values stay readable all the same.
    public var problems: [String] {
        let (files, contents, readers) = state.withLock {
            ([launchProblem, $0.contents.storeProblem, $0.watchProblem], $0.contents, $0.published)
        }
        let documents = contents.remote.problems.map(\.description)
        let refused = readers.values.flatMap { $0.refused(in: contents.values) }.sorted { $0.key < $1.key }
        return files.compactMap { $0 } + contents.sources.errors + documents + refused.map(\.sentence)
    }

    /// Overrides a declared flag, and saves that: returns when it is on disk and readable. Must not be called while a
    /// flag's value is decoded, such as in `init(from:)`.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved, or an error of the value's own encoding;
    ///   then nothing was changed.
    public func setOverride<Value>(_ key: FlagKey<Value>, to value: Value) throws {
        try setOverride(key.name, to: try key.declaration.coding.write(value))
    }

    /// Overrides a key with a text, and saves that.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved; then nothing was changed.
    public func setOverride(_ key: String, to text: String) throws(StorageError) {
        try edit([.set(key: key, value: text)])
    }

    /// Overrides several flags as one step for undo, and saves that.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved; then nothing was changed.
    public func setOverrides(_ settings: [FlagSetting]) throws(StorageError) {
        try edit(settings.map { .set(key: $0.name, value: $0.text) })
    }

    /// Removes the override of a flag: the current remote value is in use again.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved; then nothing was changed.
    public func clearOverride<Value>(_ key: FlagKey<Value>) throws(StorageError) { try clearOverride(key.name) }

    /// Removes the override of a key.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved; then nothing was changed.
    public func clearOverride(_ key: String) throws(StorageError) { try edit([.clear(key: key)]) }

    /// Removes all overrides.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved; then nothing was changed.
    public func clearOverrides() throws(StorageError) { try edit([.clearAll]) }

    private func edit(_ edits: [OverrideEdit]) throws(StorageError) {
        guard access.isOpen else {
            throw StorageError(
                code: .refused, path: app,
                sentence: "This build of \(app) does not allow overrides; nothing was changed. See OverrideAccess.")
        }
        guard let overrides else {
            let (refused, _) = takeOverrides { edits.reduce(into: $0) { $0.apply($1) } }
            return reportOnce(refused)
        }
        _ = try overrides.apply(edits)
        // The watch reads too, but not before this returns.
        readOverrides()
    }

    /// Logs one line if a run has overrides.
    func announceOverrides() {
        guard let banner = overrideBanner else { return }
        let isOne = activeOverrides.count == 1
        let rest = isOne ? "It wins over remote until it is" : "They win over remote until they are"
        logger.notice("\(app) runs with \(banner). \(rest) cleared.")
    }
}
