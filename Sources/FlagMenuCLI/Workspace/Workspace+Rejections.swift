import DeveloperMenu
import Dispatch
import FlagModel
import FlagStorage

// Values that a running app cannot read. Only the app knows which JSON it decodes, so it is asked by writing the value.
extension Workspace {
    /// Requires that new values are cases of the enumerations in running apps. That is known before a value is written.
    ///
    /// - Throws: an error that names the apps and the cases.
    func requireCases(for edits: [OverrideEdit]) throws(CommandFailure) {
        let sentences = followingApps(in: runningApps).flatMap { app in
            edits.compactMap { edit -> String? in
                guard case .set(let key, let value) = edit, let flag = app.flag(key), !flag.facts.options.isEmpty,
                    !flag.accepts(value)
                else { return nil }
                return "\(app.shownName) cannot read \(key): \(DeclaredFlag.words(for: flag.facts.options))."
            }
        }
        guard sentences.isEmpty else { throw Self.rejection(sentences) }
    }

    /// The running apps that use this store.
    private func followingApps(in reading: RunningApps.Reading) -> [RunningApp] {
        let folder = overrideFolder
        return reading.apps.filter { $0.overrideFolder == folder }
    }

    private static func rejection(_ sentences: [String]) -> CommandFailure {
        CommandFailure(.invalidValue, "\(sentences.joined(separator: " ")) Nothing was changed; --any sets it anyway.")
    }

    /// How long a running app has to say that it cannot read a value. An app says so within milliseconds; one that is
    /// stopped does not.
    private static let rejectionLimit = DispatchTimeInterval.seconds(1)

    /// Undoes a change if a running app cannot read one of its values.
    ///
    /// - Throws: an error with the reasons of the apps.
    func takeBackIfRejected(_ commit: StoreCommit) throws(CommandFailure) {
        let values: FlagTable<String> = commit.changes.reduce(into: [:]) { $0[$1.key] = $1.new?.value }
        guard !values.isEmpty, let revision = commit.record?.revision else { return }
        let rejections = rejections(of: values)
        guard !rejections.isEmpty else { return }
        do throws(StorageError) {
            _ = try store.undo(only: revision)
        } catch {
            throw CommandFailure(
                .invalidValue,
                "\(rejections.joined(separator: " ")) The change could not be taken back: \(error.description)")
        }
        throw CommandFailure(
            .invalidValue, "\(rejections.joined(separator: " ")) The change was taken back; --any keeps it.")
    }

    /// Waits until every running app has read the new values, or says that it cannot.
    ///
    /// - Returns: the reasons of the apps that cannot, one sentence each.
    private func rejections(of values: FlagTable<String>) -> [String] {
        var rejections: [String] = []
        followApps(until: .now() + Self.rejectionLimit) {
            let responses = responses(to: values, in: $0)
            rejections = responses.compactMap { if case .rejected(let sentence) = $0 { sentence } else { nil } }
            return !rejections.isEmpty || !responses.contains(.awaited)
        }
        return rejections
    }

    /// What an app says about a new value.
    private enum Response: Equatable {
        case accepted
        case awaited
        case rejected(String)
    }

    private func responses(to values: FlagTable<String>, in reading: RunningApps.Reading) -> [Response] {
        followingApps(in: reading).flatMap { app in
            values.compactMap { key, value -> Response? in
                // Values of other types were checked before, by the same rules as in the app.
                guard let flag = app.flag(key), flag.type == .json || flag.type == .string, let use = flag.use else {
                    return nil
                }
                if use.rejectedValue == value {
                    return .rejected(app.rejectionSentence(key, use))
                }
                if use.layer < .override || use.layer == .override && use.value == value { return .accepted }
                return .awaited
            }
        }
    }

    /// What may surprise those who have set an override: apps that ignore it, and an app id that no app uses.
    func warnings(about commit: StoreCommit) -> [String] {
        guard commit.changes.contains(where: { $0.new != nil }) else { return [] }
        let closed = runningApps.apps.filter { $0.ignoredOverrides != nil }.map {
            "\($0.shownName) \(FlagUptake.ignoresOverrides.words)."
        }
        return closed + (closed.isEmpty ? [unknownApp].compactMap { $0 } : [])
    }

    /// Why the app id may be wrong, as a sentence; `nil` if it is not named, or if an app with this id was ever opened.
    var unknownApp: String? {
        guard settings.isAppNamed, settings.storeDirectory == settings.stateDirectory else { return nil }
        if let warning = FoundApps(settings.environment).warning(about: settings.app) { return warning }
        guard settings.hasOnlyCode, !settings.declarations.hasAny else { return nil }
        return "No source is named, and \(JSONOutput.quoted(settings.app, limit: 60)) has not opened its flags here."
    }
}
