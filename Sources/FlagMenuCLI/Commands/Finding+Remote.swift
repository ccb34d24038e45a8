import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

// Findings of `doctor` about sources, flags in code, overrides and the team. Each source is requested.
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
            return [finding] + setting.warnings
        }
    }

    static func catalog(_ workspace: Workspace) -> Finding {
        let catalog = workspace.remote.snapshot.catalog
        let categories = catalog.categories.count.counted("category", "categories")
        return Finding(
            subject: "catalog", issues: workspace.run.services.warnings.all + workspace.documentIssues,
            summary: "\(catalog.items.count.counted("flag")) in \(categories)")
    }

    /// How many sentences of a kind are listed.
    private static let listedLimit = 8

    /// Where the code of apps, the catalog and the sources do not agree; `nil` if no app has declared its flags.
    static func code(_ workspace: Workspace) -> Finding? {
        let (snapshot, reading) = (workspace.remote.snapshot, workspace.runningApps)
        let declared = snapshot.declared
        guard !declared.isEmpty || !reading.warnings.isEmpty else { return nil }
        let rejections = reading.apps.flatMap { app in
            app.flags.compactMap { flag in
                flag.use.flatMap { $0.rejection == nil ? nil : app.rejectionSentence(flag.key, $0) }
            }
        }
        let found = [
            ("missing", "in code, without a remote value"), ("undeclared", "listed, but not in code"),
            ("mismatched", "of different types, options or defaults in code, catalog and sources"),
        ].compactMap { condition, words -> String? in
            let count = (try? workspace.flags(matching: "is:\(condition)"))?.count
            return count.map { "\($0.counted("flag")) \(words): flagmenu list --matching is:\(condition)." }
        }
        let mismatches = snapshot.mismatches.sortedByKey.flatMap(\.value)
        let issues = [reading.warnings, rejections, found, mismatches].flatMap { $0.prefix(listedLimit) }
        let programs = declared.programs.map(\.name).joined(separator: ", ")
        return Finding(
            subject: "code", issues: issues,
            summary: "\(declared.keys.count.counted("flag")) declared by \(programs)",
            remedies: rejections.isEmpty ? [] : ["Reset or change the values that apps cannot read."])
    }

    /// Warnings about overrides that may be obsolete. They are not errors, because such an override may be intended.
    static func overrides(_ workspace: Workspace) -> Finding {
        var finding = Finding(subject: "overrides", summary: "\(workspace.reading.table.overrides.count) active")
        let overrides = workspace.reading.table.overrides.sortedByKey
        for (key, _) in overrides {
            guard let reason = workspace.factsOfAny(key).obsolescence else { continue }
            finding.issues.append("\(JSONOutput.quoted(key, limit: 80)) \(reason).")
            guard finding.remedies.isEmpty else { continue }
            finding.remedies = ["flagmenu reset \(JSONOutput.quoted(key, limit: 200)) goes back to the remote value."]
        }
        let now = SourceClock.system.now()
        let future = overrides.compactMap { key, override -> String? in
            guard let time = override.setAt, time > now else { return nil }
            return "\(JSONOutput.quoted(key, limit: 80)) was set at \(time.rfc3339), which is in the future: the clock "
                + "was set back. It stays, and may end late."
        }
        finding.issues += future
        if !future.isEmpty { finding.remedies.append("Check the date and the time of this machine.") }
        return finding
    }

    /// What of the scenarios cannot be applied any more; `nil` without scenarios.
    static func scenarios(_ workspace: Workspace) -> Finding? {
        let files = workspace.settings.scenarioFolders.all()
        guard !files.isEmpty else { return nil }
        let issues = files.flatMap { file in
            let leftOut = (try? workspace.plan(file)).map(workspace.leftOut) ?? []
            return [file.error].compactMap { $0 } + leftOut.prefix(listedLimit).map { "\(file.name): \($0)" }
        }
        return Finding(
            subject: "scenarios", issues: issues, summary: files.count.counted("scenario"),
            remedies: issues.isEmpty
                ? [] : ["Correct the files, or save them again: flagmenu scenario save NAME --force."])
    }
}

extension FlagFacts {
    /// Why the override may be obsolete, as the end of a sentence; `nil` if nothing suggests that.
    fileprivate var obsolescence: String? {
        switch state {
        case .stale(let reason), .invalid(let reason): "is \(state.word): \(reason)"
        case .notSet, .overridden, .sameAsRemote:
            expiry.map { "expired on \($0)" } ?? (state == .sameAsRemote ? "is the same as remote" : nil)
        }
    }
}

extension SourceSettings {
    /// The credentials that are used and there, in words.
    fileprivate var credentialWords: [String] {
        usedCredentials.filter(\.isThere).map { "the \($0.name) in \($0.place)" }
    }

    /// The options without effect, and the credential files that other users of the machine can read.
    fileprivate var warnings: [Finding] {
        func warning(_ sentence: String, _ remedy: String) -> Finding {
            Finding(subject: "source", issues: ["\(shown): \(sentence)"], summary: shown, remedies: [remedy])
        }
        let unused = unusedOptions.map { option in
            let name = JSONOutput.quoted(option.name, limit: 60)
            return warning(
                "setting \(name) has no effect: \(option.reason).",
                "Remove \(name) from flagmenu.json, or correct the others.")
        }
        let open = usedCredentials.filter(\.isSecret).compactMap { credential -> Finding? in
            guard let path = file(of: credential), let mode = DurableFile.modeReadByOthers(of: path) else { return nil }
            return warning(
                "the \(credential.label) in the file \(path) can be read by other users of this machine, as its mode is "
                    + "\(String(mode, radix: 8)).",
                "Run chmod 600 \(ShellCommand.word(path)).")
        }
        return unused + open
    }
}
