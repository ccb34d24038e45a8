import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

// Findings of `doctor` about sources and the team. Each is requested.
extension Finding {
    /// The findings about sources, network, contexts, cache, catalog, overrides and the team, from one reading.
    static func remote(_ settings: Settings, withTeam: Bool = false) -> [Finding] {
        let run: RunStore
        do throws(CommandFailure) {
            run = try RunStore(settings, limit: DoctorCommand.limit, isPrompting: false)
        } catch {
            let team = withTeam && settings.team != nil ? failure("team", error) : nil
            return [failure("source", error), network(settings), cache(settings), noCatalog, team].compactMap { $0 }
        }
        run.openRemote()
        run.fetch(settings.isSample ? .nothing : .all)
        let workspace = Workspace(run)
        let missingValues = workspace.missingValues
        var findings = sources(workspace)
        if let missingValues, !findings.contains(where: { $0.failure != nil }) {
            findings = [failure("source", missingValues)]
        }
        findings += [network(settings), contexts(settings), cache(settings)].compactMap { $0 }
        let flags = [catalog(workspace), code(workspace), overrides(in: workspace)]
        let rest = (missingValues == nil ? flags : [noCatalog]) + [withTeam ? team(run) : nil]
        return findings + rest.compactMap { $0 }
    }

    /// The finding about the team; `nil` without a team.
    private static func team(_ run: RunStore) -> Finding? {
        run.fetchTeam()
        guard let team = run.settings.team, let reading = run.flags.teamReading else { return nil }
        let summary = [team.shown, reading.overrides.count.counted("value")] + team.credentialWords
        return Finding(
            subject: "team",
            issues: [reading.error(at: SourceClock.system.now())].compactMap { $0 } + reading.issues,
            summary: summary.joined(separator: ", "), failure: reading.error == nil ? nil : .remote,
            remedies: reading.error.map { team.remedies(for: $0) } ?? [])
    }

    private static let noCatalog = Finding(
        subject: "catalog", issues: ["No catalog: the source could not be read."], failure: .usage,
        remedies: ["Fix the source."])

    /// Whether an earlier version kept contexts in a file of their own; `nil` if not.
    private static func contexts(_ settings: Settings) -> Finding? {
        let former = FilePath.join(settings.storeDirectory, FormerContexts.name)
        guard DurableFile.hasName(former + FormerContexts.migrated) else { return nil }
        let isWritten = DurableFile.hasName(former)
        return Finding(
            subject: "contexts",
            issues: isWritten
                ? ["An app or a tool of an earlier version has written \(former), which has no effect here."] : [],
            summary: "kept with the overrides; apps that were built with an earlier version do not see them",
            remedies: isWritten ? ["Update it, then remove the file."] : [])
    }

    /// The error that responses cannot be cached; `nil` if they can.
    private static func cache(_ settings: Settings) -> Finding? {
        guard !settings.sources.isEmpty, let blocker = DurableFile.blocker(toWritingIn: settings.cacheDirectory)
        else { return nil }
        return Finding(
            subject: "cache",
            issues: ["\(blocker) Responses are not cached, so fetched values cannot be activated."],
            summary: settings.cacheDirectory, failure: .store,
            remedies: [
                "Give this user write access, for example with chmod, or name another folder with XDG_CACHE_HOME."
            ])
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
            return [Finding(subject: "source", summary: name)]
        }
        return zip(settings.sources, sources).flatMap { setting, source in
            [finding(source, setting)] + unusedOptions(of: setting) + filesOpenToOthers(of: setting)
        }
    }

    /// The finding about one source: that the source responded, or its error with remedies.
    private static func finding(_ source: RemoteState.Source, _ settings: SourceSettings) -> Finding {
        guard let error = source.error, let sentence = source.error(at: SourceClock.system.now()) else {
            let credentials = settings.credentialWords.joined(separator: " and ")
            return Finding(
                subject: "source", summary: settings.shown + (credentials.isEmpty ? "" : ", with \(credentials)"))
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
                summary: source.shown, remedies: ["Run chmod 600 \(ShellCommand.word(path))."])
        }
    }

    /// A finding for each option without effect.
    private static func unusedOptions(of source: SourceSettings) -> [Finding] {
        source.unusedOptions.map { option in
            let member = JSONOutput.quoted(option.name, limit: 60)
            return Finding(
                subject: "source", issues: ["\(source.shown): setting \(member) has no effect: \(option.reason)."],
                summary: source.shown,
                remedies: ["Remove \(member) from flagmenu.json, or correct the others."])
        }
    }
}

extension SourceSettings {
    /// The credentials that are used and there, in words.
    var credentialWords: [String] { usedCredentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" } }
}
