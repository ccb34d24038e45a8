import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Flags

// Findings of the doctor about sources, each of which was requested.
extension Finding {
    /// Sources and catalog, from one reading.
    static func remote(_ settings: Settings) -> [Finding] {
        do throws(CommandFailure) {
            return remote(try RunStore(settings, patience: .doctor, isAsking: false))
        } catch {
            return [Finding(subject: "source", problems: [error.sentence], summary: "", failure: error.status)]
                + network(settings) + cache(settings) + [noCatalog]
        }
    }

    private static func remote(_ run: RunStore) -> [Finding] {
        let settings = run.settings
        run.flags.openRemote()
        run.fetch(settings.isSample ? .nothing : .all)
        let workspace = Workspace(run)
        let found = sources(workspace)
        do throws(CommandFailure) {
            try run.requireValues(in: workspace.remote.sources)
            return found + network(settings) + contexts(workspace) + cache(settings)
                + [catalog(workspace), overrides(on: workspace.remote.snapshot, settings)]
        } catch {
            let failure = Finding(subject: "source", problems: [error.sentence], summary: "", failure: error.status)
            return (found.contains { $0.failure != nil } ? found : [failure]) + network(settings)
                + contexts(workspace) + cache(settings) + [noCatalog]
        }
    }

    private static let noCatalog = Finding(
        subject: "catalog", problems: ["Without a source there is no catalog."], summary: "", failure: .usage,
        remedies: ["Fix the source."])

    /// Errors of context overrides; empty if there are none.
    private static func contexts(_ workspace: Workspace) -> [Finding] {
        guard let problem = workspace.remote.sources.contextError else { return [] }
        return [
            Finding(
                subject: "contexts", problems: [problem], summary: "", failure: nil,
                remedies: ["Correct the file, or remove it: it only contains your own changes."])
        ]
    }

    /// Why responses cannot be cached; empty if they can.
    private static func cache(_ settings: Settings) -> [Finding] {
        guard !settings.sources.isEmpty, let obstacle = DurableFile.obstacle(toWritingIn: settings.cacheDirectory)
        else {
            return []
        }
        return [
            Finding(
                subject: "cache",
                problems: ["\(obstacle) Responses are not cached, so fetched values cannot be activated."],
                summary: settings.cacheDirectory, failure: .store,
                remedies: ["Let this user write there, as with chmod, or name another folder with XDG_CACHE_HOME."])
        ]
    }

    /// One for each source, in order of precedence.
    private static func sources(_ workspace: Workspace) -> [Finding] {
        let (settings, sources) = (workspace.settings, workspace.remote.sources.sources)
        guard !settings.isSample, !sources.isEmpty else {
            let name =
                settings.isSample
                ? "the built-in sample; --source FILE or flagmenu.json names your own"
                : "none; only the defaults of \(settings.defaults ?? "the app")"
            return [Finding(subject: "source", problems: [], summary: name, failure: nil)]
        }
        return zip(settings.sources, sources).flatMap { setting, source in
            [found(source, setting)] + unusedOptions(of: setting) + filesOpenToOthers(of: setting)
        }
    }

    /// How one source responded, with remedies if it did not.
    private static func found(_ source: RemoteState.Source, _ settings: SourceSettings) -> Finding {
        guard let error = source.error, let sentence = source.error(at: SourceClock.system.now()) else {
            let held = settings.usedCredentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" }
            let summary = [settings.shown] + (held.isEmpty ? [] : [held.joined(separator: " and ")])
            return Finding(subject: "source", problems: [], summary: summary.joined(separator: ", with "), failure: nil)
        }
        return Finding(
            subject: "source", problems: [sentence], summary: settings.shown, failure: source.failure,
            remedies: settings.remedies(for: error))
    }

    /// Credential files that other users of the machine may read, one for each.
    private static func filesOpenToOthers(of source: SourceSettings) -> [Finding] {
        source.usedCredentials.filter(\.isSecret).compactMap { credential in
            guard let path = source.file(of: credential), let mode = DurableFile.modeReadByOthers(of: path) else {
                return nil
            }
            return Finding(
                subject: "source",
                problems: [
                    "\(source.shown): the \(credential.name) in the file \(path) can be read by other users of this machine, as "
                        + "its mode is \(String(mode, radix: 8))."
                ],
                summary: source.shown, failure: nil, remedies: ["Run chmod 600 \(ShellCommand.word(path))."])
        }
    }

    /// Options without effect, one for each.
    private static func unusedOptions(of source: SourceSettings) -> [Finding] {
        source.unusedOptions.map { option in
            let member = JSONOutput.quoted(option.name, limit: 60)
            return Finding(
                subject: "source", problems: ["\(source.shown): setting \(member) has no effect: \(option.reason)."],
                summary: source.shown, failure: nil,
                remedies: ["Remove \(member) from flagmenu.json, or correct the others."])
        }
    }
}
