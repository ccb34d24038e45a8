import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

// Findings of `doctor` about sources. Each source is requested.
extension Finding {
    /// The findings about sources, network, contexts, cache, catalog and overrides, from one reading.
    static func remote(_ settings: Settings) -> [Finding] {
        do throws(CommandFailure) {
            return remote(try RunStore(settings, isDiagnosis: true, isPrompting: false))
        } catch {
            return [Finding(subject: "source", issues: [error.sentence], summary: "", failure: error.status)]
                + network(settings) + cache(settings) + [noCatalog]
        }
    }

    private static func remote(_ run: RunStore) -> [Finding] {
        let settings = run.settings
        run.openRemote()
        run.fetch(settings.isSample ? .nothing : .all)
        let workspace = Workspace(run)
        let sourceFindings = sources(workspace)
        do throws(CommandFailure) {
            try run.requireValues(in: workspace.remote.sources)
            return sourceFindings + network(settings) + contexts(settings) + cache(settings)
                + [catalog(workspace)] + code(workspace) + [overrides(in: workspace)]
        } catch {
            let failure = Finding(subject: "source", issues: [error.sentence], summary: "", failure: error.status)
            return (sourceFindings.contains { $0.failure != nil } ? sourceFindings : [failure]) + network(settings)
                + contexts(settings) + cache(settings) + [noCatalog]
        }
    }

    private static let noCatalog = Finding(
        subject: "catalog", issues: ["No catalog: the source could not be read."], summary: "", failure: .usage,
        remedies: ["Fix the source."])

    /// Whether an earlier version kept contexts in a file of their own; empty if not.
    private static func contexts(_ settings: Settings) -> [Finding] {
        let former = FilePath.join(settings.storeDirectory, FormerContexts.name)
        guard DurableFile.hasName(former + FormerContexts.migrated) else { return [] }
        let isWritten = DurableFile.hasName(former)
        return [
            Finding(
                subject: "contexts",
                issues: isWritten
                    ? ["An app or a tool of an earlier version has written \(former), which has no effect here."] : [],
                summary: "kept with the overrides; apps that were built with an earlier version do not see them",
                failure: nil, remedies: isWritten ? ["Update it, then remove the file."] : [])
        ]
    }

    /// The error that responses cannot be cached; empty if they can.
    private static func cache(_ settings: Settings) -> [Finding] {
        guard !settings.sources.isEmpty, let blocker = DurableFile.blocker(toWritingIn: settings.cacheDirectory)
        else {
            return []
        }
        return [
            Finding(
                subject: "cache",
                issues: ["\(blocker) Responses are not cached, so fetched values cannot be activated."],
                summary: settings.cacheDirectory, failure: .store,
                remedies: [
                    "Give this user write access, for example with chmod, or name another folder with XDG_CACHE_HOME."
                ])
        ]
    }

    /// The findings about each source, in order of precedence.
    private static func sources(_ workspace: Workspace) -> [Finding] {
        let (settings, sources) = (workspace.settings, workspace.remote.sources.sources)
        guard !settings.sources.isEmpty else {
            let name =
                settings.isSample
                ? "the built-in sample; --source FILE or flagmenu.json names your own"
                : settings.hasNothing
                    ? "none; --source FILE or flagmenu.json names one"
                    : "none; only the defaults of \(settings.defaults ?? "the app")"
            return [Finding(subject: "source", issues: [], summary: name, failure: nil)]
        }
        return zip(settings.sources, sources).flatMap { setting, source in
            [finding(source, setting)] + unusedOptions(of: setting) + filesOpenToOthers(of: setting)
        }
    }

    /// The finding about one source: that the source responded, or its error with remedies.
    private static func finding(_ source: RemoteState.Source, _ settings: SourceSettings) -> Finding {
        guard let error = source.error, let sentence = source.error(at: SourceClock.system.now()) else {
            let credentials = settings.credentialWords
            let summary = [settings.shown] + (credentials.isEmpty ? [] : [credentials.joined(separator: " and ")])
            return Finding(subject: "source", issues: [], summary: summary.joined(separator: ", with "), failure: nil)
        }
        return Finding(
            subject: "source", issues: [sentence], summary: settings.shown, failure: source.failure,
            remedies: settings.remedies(for: error))
    }

    /// A finding for each credential file that other users of the machine can read.
    private static func filesOpenToOthers(of source: SourceSettings) -> [Finding] {
        source.usedCredentials.filter(\.isSecret).compactMap { credential in
            guard let path = source.file(of: credential), let mode = DurableFile.modeReadByOthers(of: path) else {
                return nil
            }
            return Finding(
                subject: "source",
                issues: [
                    "\(source.shown): the \(credential.label) in the file \(path) can be read by other users "
                        + "of this machine, as its mode is \(String(mode, radix: 8))."
                ],
                summary: source.shown, failure: nil, remedies: ["Run chmod 600 \(ShellCommand.word(path))."])
        }
    }

    /// A finding for each option without effect.
    private static func unusedOptions(of source: SourceSettings) -> [Finding] {
        source.unusedOptions.map { option in
            let member = JSONOutput.quoted(option.name, limit: 60)
            return Finding(
                subject: "source", issues: ["\(source.shown): setting \(member) has no effect: \(option.reason)."],
                summary: source.shown, failure: nil,
                remedies: ["Remove \(member) from flagmenu.json, or correct the others."])
        }
    }
}

extension SourceSettings {
    /// The credentials that are used and there, in words.
    var credentialWords: [String] { usedCredentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" } }
}
