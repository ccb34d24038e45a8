import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

// Findings of `doctor` about sources and the team. Each is requested.
extension Finding {
    /// The findings about sources, network, catalog, overrides and the team, from one reading.
    static func remote(_ settings: Settings) -> [Finding] {
        let run: RunStore
        do throws(CommandFailure) {
            run = try RunStore(settings, limit: DoctorCommand.limit, isPrompting: false)
        } catch {
            return [failure("source", error), network(settings), noCatalog].compactMap { $0 }
        }
        run.openRemote()
        run.fetch(settings.isSample ? .nothing : .all)
        run.fetchTeam()
        let workspace = Workspace(run)
        let flags =
            workspace.missingValues == nil
            ? [catalog(workspace), code(workspace), overrides(workspace)] : [noCatalog]
        let scenarios = scenarios(workspace)
        return sources(workspace) + ([network(settings)] + flags + [scenarios, team(workspace)]).compactMap { $0 }
    }

    private static let noCatalog = Finding(
        subject: "catalog", issues: ["No catalog: the source could not be read."], failure: .usage,
        remedies: ["Fix the source."])

    /// The finding about the team; `nil` without a team.
    private static func team(_ workspace: Workspace) -> Finding? {
        guard let team = workspace.settings.team, let reading = workspace.team else { return nil }
        let summary = [team.shown, reading.overrides.count.counted("value")] + team.credentialWords
        return Finding(
            subject: "team",
            issues: [reading.error(at: SourceClock.system.now())].compactMap { $0 } + reading.issues,
            summary: summary.joined(separator: ", "), failure: reading.error == nil ? nil : .remote,
            remedies: reading.error.map { team.remedies(for: $0) } ?? [])
    }

    /// The findings about each source, in order of precedence.
    private static func sources(_ workspace: Workspace) -> [Finding] {
        let settings = workspace.settings
        guard !settings.sources.isEmpty else {
            let name =
                settings.isSample
                ? "the built-in sample; --source FILE or flagmenu.json names your own"
                : settings.hasNothing
                    ? "none; --source FILE or flagmenu.json names one"
                    : "none; only the defaults of \(settings.defaults ?? "the app")"
            return [Finding(subject: "source", summary: name)]
        }
        return zip(settings.sources, workspace.remote.sources.sources).flatMap { setting, source in
            let credentials = setting.credentialWords.joined(separator: " and ")
            let finding = Finding(
                subject: "source", issues: [source.error(at: SourceClock.system.now())].compactMap { $0 },
                summary: setting.shown + (credentials.isEmpty ? "" : ", with \(credentials)"),
                failure: source.failure, remedies: source.error.map { setting.remedies(for: $0) } ?? [])
            return [finding]
                + setting.warnings.map { sentence, remedy in
                    Finding(
                        subject: "source", issues: ["\(setting.shown): \(sentence)"], summary: setting.shown,
                        remedies: [remedy])
                }
        }
    }
}

extension SourceSettings {
    /// The credentials that are used and there, in words.
    fileprivate var credentialWords: [String] {
        usedCredentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" }
    }

    /// The options without effect, and the credential files that other users of the machine can read, each with a
    /// remedy.
    fileprivate var warnings: [(sentence: String, remedy: String)] {
        let unused = unusedOptions.map { option in
            let name = JSONOutput.quoted(option.name, limit: 60)
            return (
                "setting \(name) has no effect: \(option.reason).",
                "Remove \(name) from flagmenu.json, or correct the others."
            )
        }
        let open = usedCredentials.filter(\.isSecret).compactMap { credential -> (String, String)? in
            guard let path = file(of: credential), let mode = DurableFile.modeReadByOthers(of: path) else { return nil }
            return (
                "the \(credential.label) in the file \(path) can be read by other users of this machine, as its mode is "
                    + "\(String(mode, radix: 8)).",
                "Run chmod 600 \(ShellCommand.word(path))."
            )
        }
        return unused + open
    }
}
