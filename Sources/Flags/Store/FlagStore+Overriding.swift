import Dispatch
public import FlagModel
public import FlagStorage
import Logging
import Synchronization

// Overriding from within the app. The app and the menu use the same files and see each other's changes.
//
// Setting an override waits for other writers and until the file is on disk, usually milliseconds, up to ten seconds if
// another process has the lock, without a thread of the caller.
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
        let declarations = readers.values.compactMap { FlagRegistry.issue(of: $0.name) }.sorted()
        return files.compactMap { $0 } + contents.unknownLaunchKeys + contents.remote.sources.errors + team + documents
            + declarations + refused.map(\.sentence)
    }

    /// Whether a text is checked before it becomes an override.
    public enum TextCheck: Sendable {
        /// The text must be a value that the code can read or, for a key that no code declares, one of the type in the
        /// catalog.
        case checked
        /// Any text becomes the override, such as to see how the app copes with it.
        case unchecked
    }

    /// Overrides a declared flag; returns when the override is on disk and readable.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved, or an ``InvalidFlagText`` if the value has
    ///   no text. Nothing is changed on an error.
    public func setOverride<Value>(_ key: FlagKey<Value>, to value: Value) async throws {
        try await setOverride(key.name, to: try value.flagText(), .unchecked)
    }

    /// Overrides a key with a text; returns when the override is on disk and readable.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved, or an ``InvalidFlagText`` with the reason
    ///   why the text is not valid. Nothing is changed on an error.
    public func setOverride(_ key: String, to text: String, _ check: TextCheck = .checked) async throws {
        if check == .checked { try self.check(text, of: key) }
        try await edit([.set(key: key, value: text)])
    }

    /// Overrides several flags, as one action that undo reverts; returns when the overrides are on disk and readable.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved, or an ``InvalidFlagText`` with the reason
    ///   why a text is not valid. Nothing is changed on an error.
    public func setOverrides(_ settings: [FlagSetting], _ check: TextCheck = .checked) async throws {
        if check == .checked { for setting in settings { try self.check(setting.text, of: setting.name) } }
        try await edit(settings.map { .set(key: $0.name, value: $0.text) })
    }

    /// Overrides several flags, as one action that undo reverts. A flag that has its value without an override loses its
    /// override: as with a toggle, choosing a value and then the old one again leaves nothing behind.
    package func choose(_ settings: [FlagSetting]) async throws(StorageError) {
        let snapshot = snapshot()
        try await edit(
            settings.map { setting in
                let flag = snapshot.explain(setting.name)
                let isBase = flag.base?.value.map { flag.type.isSame($0.string, setting.text) } ?? false
                return isBase ? .clear(key: setting.name) : .set(key: setting.name, value: setting.text)
            })
    }

    /// Removes the override of a flag, so that the value of the next layer is in use.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverride<Value>(_ key: FlagKey<Value>) async throws(StorageError) {
        try await clearOverride(key.name)
    }

    /// Removes the override of a key.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverride(_ key: String) async throws(StorageError) { try await edit([.clear(key: key)]) }

    /// Removes all overrides.
    ///
    /// - Throws: a `StorageError` if overrides are closed or cannot be saved. Nothing is changed on an error.
    public func clearOverrides() async throws(StorageError) { try await edit([.clearAll]) }

    /// Throws why a text is not a value of a flag.
    private func check(_ text: String, of key: String) throws(InvalidFlagText) {
        let declaration = FlagRegistry.declaration(of: key)
        let type = declaration?.type ?? contents.documents.type(of: FlagText(key))
        let error = declaration.map { $0.invalidReason(to: text) } ?? (type.accepts(text) ? nil : InvalidFlagText())
        guard let error else { return }
        let reason = error.reason.map { $0 + "." } ?? type.invalidReason(to: text) ?? "it is not a \(type.rawValue)."
        throw InvalidFlagText(
            "\(JSONOutput.quoted(text, limit: 80)) is not a value of the flag \(JSONOutput.quoted(key, limit: 80)): "
                + "\(reason) Nothing was changed.")
    }

    /// The error of a change to a build that does not allow changes.
    var closedError: StorageError {
        StorageError(
            code: .refused, path: app,
            sentence: "This build of \(app) does not allow overrides; nothing was changed. See OverrideAccess.")
    }

    /// Makes edits as one action; returns when they are on disk and readable.
    package func edit(_ edits: [OverrideEdit]) async throws(StorageError) {
        let result = await withCheckedContinuation { continuation in
            writing.async {
                continuation.resume(returning: Result { () throws(StorageError) in try self.write(edits) })
            }
        }
        try result.get()
    }

    private func write(_ edits: [OverrideEdit]) throws(StorageError) {
        guard access.isOpen else { throw closedError }
        guard let overrides = knownOverrides else {
            replaceContents(.written) { contents in
                guard access.isOpen else { return nil }
                return contents.replaceOverrides(contents.values.overrides.applying(edits))
            }
            return publish()
        }
        if let notice = try overrides.apply(edits).notice { logger.warning("\(notice)") }
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
