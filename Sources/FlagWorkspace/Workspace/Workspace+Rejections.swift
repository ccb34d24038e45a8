package import FlagModel
import FlagPresence
import FlagQueries
package import FlagStorage

// Values that a running app cannot read. Which JSON it decodes is known only to the app, and told after the change by
// `--wait`, `explain` and the menu.
extension Workspace {
    /// Requires that new values are cases of the enumerations in running apps. That is known before a value is written.
    ///
    /// - Parameter option: what allows other values, too.
    /// - Throws: an error that names the apps and the cases.
    package func requireCases(for edits: [OverrideEdit], unless option: String = "--any") throws(CommandFailure) {
        let folder = overrideFolder
        let sentences = runningApps.apps.filter { $0.overrideFolder == folder }.flatMap { app in
            edits.compactMap { edit -> String? in
                guard case .set(let key, let value) = edit, let flag = app.flag(key), !flag.facts.options.isEmpty,
                    !flag.accepts(value)
                else { return nil }
                return "\(app.shownName) cannot read \(key): \(DeclaredFlag.invalidReason(for: flag.facts.options))."
            }
        }
        guard sentences.isEmpty else {
            throw CommandFailure(
                .invalidValue,
                "\(sentences.joined(separator: " ")) Nothing was changed; \(option) sets it anyway.")
        }
    }

    /// What may surprise those who have set an override: apps that ignore it, and an app id that no app uses.
    package func warnings(about commit: StoreCommit) -> [String] {
        guard commit.changes.contains(where: { $0.new != nil }) else { return [] }
        let closed = runningApps.apps.filter { $0.ignoredOverrides != nil }.map {
            "\($0.shownName) \(FlagUptake.ignoresOverrides.summary)."
        }
        return closed + (closed.isEmpty ? [unknownApp].compactMap { $0 } : [])
    }

    /// Why the app id may be wrong, as a sentence; `nil` if it is not named, or if an app with this id was ever opened.
    var unknownApp: String? {
        guard settings.isAppNamed, settings.storeDirectory == settings.stateDirectory else { return nil }
        if let warning = FoundApps(settings.environment).warning(about: settings.app) { return warning }
        guard settings.hasOnlyCode, !settings.apps.hasAny else { return nil }
        return "No source is named, and \(JSONOutput.quoted(settings.app, limit: 60)) has not opened its flags here."
    }
}
