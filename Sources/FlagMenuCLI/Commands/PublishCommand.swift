import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage

/// `flagmenu publish`.
struct PublishCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "publish", abstract: "Publish overrides to a Firebase template, for everybody.",
        usage: """
            flagmenu publish <key> ... [--condition <name>] [--yes] [<options>]
            flagmenu publish --rollback <version> [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu publish new_menu
              flagmenu publish new_menu theme --condition ios --dry-run
              flagmenu publish --rollback 41

            Shows what would change, validates it with Firebase, and asks. Nothing is published if somebody else has \
            published in the meantime. Rollouts, experiments and personalizations are replaced only with --replace. The \
            overrides stay until flagmenu reset removes them, and flagmenu fetch reads what was published.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "Keys of overridden flags.", completion: .custom { words, _, _ in Completions.overriddenKeys(words) })
    var keys: [String] = []

    @Option(help: ArgumentHelp("Publish to the value of this condition, not to the default value.", valueName: "name"))
    var condition: String?

    @Option(help: ArgumentHelp("Publish an old version again.", valueName: "version"))
    var rollback: Int?

    @Option(
        name: .customLong("description"),
        help: ArgumentHelp("The description in the list of versions.", valueName: "text"))
    var details: String?

    @Flag(help: "Replace rollouts, experiments and personalizations too, which ends or changes them for everybody.")
    var replace = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only validate it, and show what would change.")
    var dryRun = false

    /// The maximum number of drafts to make while someone else keeps publishing newer versions.
    private static let roundLimit = 3

    func validate() throws {
        guard keys.isEmpty != (rollback == nil) else {
            throw ValidationError("Name keys, or a version with --rollback, but only one of them.")
        }
        if let rollback, rollback < 1 { throw ValidationError("A version is a number of at least 1.") }
        if rollback != nil, condition != nil {
            throw ValidationError("--condition needs keys: --rollback restores the whole template.")
        }
    }

    func run(in workspace: Workspace) throws {
        if let rejection = workspace.settings.readOnlyReason {
            throw CommandFailure(workspace.settings.readOnlyStatus, rejection)
        }
        let services = workspace.run.services
        // The warnings about opening the sources were printed already.
        if !workspace.settings.isQuiet { _ = services.takeWarnings() }
        let template = try PublishedTemplate(workspace.settings, services)
        if let rollback {
            try publish(template, workspace) { newest throws(CommandFailure) in
                let old = try template.version(rollback)
                return try draft { () throws(TemplateDraft.DraftError) in
                    try TemplateDraft(newest, bringingBack: old, details: details ?? "Restores version \(rollback)")
                }
            }
        } else {
            let values = try keys.map { try value(of: $0, workspace) }
            try publish(template, workspace) { newest throws(CommandFailure) in
                try draft { () throws(TemplateDraft.DraftError) in
                    var draft = try TemplateDraft(newest, details: details)
                    for (key, text) in values { try draft.set(key, to: text, under: condition.map { FlagText($0) }) }
                    return draft
                }
            }
        }
    }

    /// The value to publish for a key: its override, which must be valid.
    private func value(of key: String, _ workspace: Workspace) throws -> (key: FlagText, text: FlagText) {
        let facts = try workspace.facts(of: key)
        guard let override = workspace.reading.table.overrides[key] else {
            throw CommandFailure(
                .noMatch,
                "\(key) is not overridden. Nothing was published. flagmenu set \(key) VALUE overrides it.")
        }
        guard facts.type.accepts(override.value) else {
            throw CommandFailure(
                .invalidValue, "The override of \(key) is not a valid \(facts.type.rawValue). Nothing was published.")
        }
        return (FlagText(key), FlagText(override.value))
    }

    /// Calls `makeDraft`, and converts its error to an error of the command.
    private func draft(
        _ makeDraft: () throws(TemplateDraft.DraftError) -> TemplateDraft
    ) throws(CommandFailure) -> TemplateDraft {
        do throws(TemplateDraft.DraftError) {
            return try makeDraft()
        } catch {
            throw CommandFailure(.noMatch, "\(error) Nothing was published.")
        }
    }

    /// Makes a draft, validates it, asks the user to confirm it, and publishes it. Starts over if someone else
    /// publishes meanwhile.
    private func publish(
        _ template: PublishedTemplate, _ workspace: Workspace,
        _ makeDraft: (TemplateResponse) throws(CommandFailure) -> TemplateDraft
    ) throws {
        var staleError: SourceError?
        for _ in 1...Self.roundLimit {
            if let staleError, !yes { workspace.settings.printLine("\(staleError). This is what would change now:") }
            let newest = try template.newest()
            let draft = try makeDraft(newest)
            let differences = try differences(draft, template)
            guard !differences.isEmpty else {
                return end(nil, [], "\(template.title), has these values already. Nothing was published.", workspace)
            }
            if case .stale(let error) = try template.check(draft) {
                staleError = error
                continue
            }
            report(differences, newest, template, workspace)
            try requireAgreement(to: differences, workspace)
            if dryRun {
                return end(nil, differences, "Firebase would accept it. Nothing was published.", workspace)
            }
            guard try confirm("Publish this for everybody?") else {
                return end(nil, [], "Nothing was published.", workspace)
            }
            switch try template.publish(draft) {
            case .published(let response):
                return end(response, differences, Self.sentence(response, after: newest) + nextStep, workspace)
            case .stale(let error):
                // With `--yes`, the command does not start over: no user would check the differences from the newer
                // version.
                guard !yes else { throw CommandFailure(.remote, "\(error.asSentence) Nothing was published.") }
                staleError = error
            }
        }
        throw CommandFailure(.remote, "\(staleError.map { "\($0.asSentence) " } ?? "")Nothing was published.")
    }

    private func differences(
        _ draft: TemplateDraft, _ template: PublishedTemplate
    ) throws(CommandFailure) -> [TemplateDifference] {
        do throws(DocumentError) {
            return try draft.differences()
        } catch {
            throw CommandFailure(.remote, "\(template.title): \(error.asSentence) Nothing was published.")
        }
    }

    /// Prints the newest version, its differences from the draft, and conditions whose values stay. If the user must
    /// confirm the draft, prints them even with `--quiet`.
    private func report(
        _ differences: [TemplateDifference], _ newest: TemplateResponse, _ template: PublishedTemplate,
        _ workspace: Workspace
    ) {
        let settings = workspace.settings
        let isPrompting = !yes && !dryRun
        guard isPrompting || !(settings.isQuiet || settings.isJSON) else { return }
        StandardError.printLine("\(template.title), \(newest.template.version?.words ?? "of no known version"):")
        for difference in differences {
            StandardError.printLine("  \(difference.sentence)")
            guard rollback == nil, case .value(let key, nil, _, _) = difference else { continue }
            let parameter = newest.template.parameters.first { $0.key == key }
            let conditions = (parameter?.conditionalValues ?? []).map { conditional in
                conditional.condition.string + (conditional.value.form.map { " (\($0))" } ?? "")
            }
            guard !conditions.isEmpty else { continue }
            StandardError.printLine(
                "    If one of these conditions applies, its value stays: \(conditions.joined(separator: ", ")).")
        }
    }

    /// Throws an error if a rollout, experiment or personalization would be replaced without `--replace`.
    private func requireAgreement(to differences: [TemplateDifference], _ workspace: Workspace) throws(CommandFailure) {
        let losses = differences.compactMap(\.loss)
        guard !losses.isEmpty, !replace else { return }
        if dryRun, workspace.settings.isJSON { Self.json(nil, differences, isPlan: true).print() }
        throw CommandFailure(
            .usage,
            "This would replace a rollout, experiment or personalization for everybody: \(losses.joined(separator: "; ")). "
                + "--replace allows that. Nothing was published.")
    }

    /// Prints the result.
    ///
    /// - Parameters:
    ///   - response: the response with the published template; `nil` if nothing was published.
    ///   - differences: the published changes, or the planned changes of a dry run.
    private func end(
        _ response: TemplateResponse?, _ differences: [TemplateDifference], _ sentence: String, _ workspace: Workspace
    ) {
        if workspace.settings.isJSON { Self.json(response, differences, isPlan: dryRun).print() }
        workspace.settings.printLine(sentence)
    }

    private static func json(
        _ response: TemplateResponse?, _ differences: [TemplateDifference], isPlan: Bool
    ) -> JSONOutput {
        let list = JSONOutput.array(differences.map(\.json))
        guard !isPlan else { return .object([("planned", list)]) }
        let version = response?.template.version?.number.map(JSONOutput.integer)
        return .object([("published", list), ("version", version ?? .null)])
    }

    private static func sentence(_ published: TemplateResponse, after old: TemplateResponse) -> String {
        let new = published.template.version?.number.map { " as version \($0)" } ?? ""
        let undo = old.template.version?.number.map { " flagmenu publish --rollback \($0) undoes it." } ?? ""
        return "Published\(new).\(undo)"
    }

    /// The sentence about the next step: publishing alone does not change the remote values on this machine.
    private var nextStep: String {
        let fetch = " flagmenu fetch and flagmenu activate make it the remote value here too"
        return keys.isEmpty
            ? "\(fetch)."
            : "\(fetch). Your overrides stay until flagmenu reset \(keys.joined(separator: " "))."
    }

    /// Whether the user confirms, or `--yes` is set.
    ///
    /// - Throws: an error if the user cannot be prompted.
    private func confirm(_ prompt: String) throws -> Bool {
        guard !yes else { return true }
        try TerminalPrompt.require(for: "publish", outcome: "Nothing was published.")
        return TerminalPrompt.agreement(prompt)
    }
}
