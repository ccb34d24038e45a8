import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagStorage

/// `flagmenu publish`.
struct PublishCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "publish", abstract: "Make overrides the values of a Firebase template, for everybody.",
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

    @Option(help: ArgumentHelp("The value under this condition, not the default value.", valueName: "name"))
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

    /// How often a draft is rebuilt on a newer version that someone else published meanwhile.
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
        if let refusal = workspace.settings.readOnlyRefusal {
            throw CommandFailure(workspace.settings.refusalStatus, refusal)
        }
        let services = workspace.run.services
        // Warnings from opening the sources are not repeated.
        if !workspace.settings.isQuiet { _ = services.takeWarnings() }
        let template = try PublishedTemplate(workspace.settings, services)
        if let rollback {
            try publish(template, workspace) { newest throws(CommandFailure) in
                let old = try template.version(rollback)
                return try draft { () throws(TemplateDraft.Objection) in
                    try TemplateDraft(newest, bringingBack: old, details: details ?? "Restores version \(rollback)")
                }
            }
        } else {
            let wanted = try keys.map { try value(of: $0, workspace) }
            try publish(template, workspace) { newest throws(CommandFailure) in
                try draft { () throws(TemplateDraft.Objection) in
                    var draft = try TemplateDraft(newest, details: details)
                    for (key, text) in wanted { try draft.set(key, to: text, under: condition.map { FlagText($0) }) }
                    return draft
                }
            }
        }
    }

    private typealias Wanted = (key: FlagText, text: FlagText)

    /// The value to publish for a key.
    private func value(of key: String, _ workspace: Workspace) throws -> Wanted {
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

    private func draft(
        _ make: () throws(TemplateDraft.Objection) -> TemplateDraft
    ) throws(CommandFailure) -> TemplateDraft {
        do throws(TemplateDraft.Objection) {
            return try make()
        } catch {
            throw CommandFailure(.noMatch, "\(error) Nothing was published.")
        }
    }

    private func publish(
        _ template: PublishedTemplate, _ workspace: Workspace,
        _ make: (TemplateAnswer) throws(CommandFailure) -> TemplateDraft
    ) throws {
        var staleness: SourceError?
        for _ in 1...Self.roundLimit {
            if let staleness, !yes { workspace.settings.say("\(staleness). This is what would change now:") }
            let newest = try template.newest()
            let draft = try make(newest)
            let differences = try differences(draft, template)
            guard !differences.isEmpty else {
                return end(nil, [], "\(template.title), has these values already. Nothing was published.", workspace)
            }
            if case .stale(let error) = try template.check(draft) {
                staleness = error
                continue
            }
            tell(differences, newest, template, workspace)
            try requireAgreement(to: differences, workspace)
            if dryRun {
                return end(nil, differences, "Firebase would accept it. Nothing was published.", workspace)
            }
            guard try confirm("Publish this for everybody?") else {
                return end(nil, [], "Nothing was published.", workspace)
            }
            switch try template.publish(draft) {
            case .published(let answer):
                return end(answer, differences, Self.sentence(answer, after: newest) + stay, workspace)
            case .stale(let error):
                // With `--yes` there is no user to check the new changes.
                guard !yes else { throw CommandFailure(.remote, "\(error.asSentence) Nothing was published.") }
                staleness = error
            }
        }
        throw CommandFailure(.remote, "\(staleness.map { "\($0.asSentence) " } ?? "")Nothing was published.")
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

    /// Prints what would change, against which version, and what it does not affect. It precedes each confirmation,
    /// even with `--quiet`.
    private func tell(
        _ differences: [TemplateDifference], _ newest: TemplateAnswer, _ template: PublishedTemplate,
        _ workspace: Workspace
    ) {
        let settings = workspace.settings
        let isAsking = !yes && !dryRun
        guard isAsking || !(settings.isQuiet || settings.isJSON) else { return }
        StandardError.say("\(template.title), \(newest.template.version?.words ?? "of no known version"):")
        for difference in differences {
            StandardError.say("  \(difference.sentence)")
            guard rollback == nil, case .value(let key, nil, _, _) = difference else { continue }
            let parameter = newest.template.parameters.first { $0.key == key }
            let deciding = (parameter?.conditionalValues ?? []).map { conditional in
                conditional.condition.string + (conditional.value.form.map { " (\($0))" } ?? "")
            }
            guard !deciding.isEmpty else { continue }
            StandardError.say(
                "    If one of these conditions applies, its value stays: \(deciding.joined(separator: ", ")).")
        }
    }

    /// Fails if a rollout would end without `--replace`.
    private func requireAgreement(to differences: [TemplateDifference], _ workspace: Workspace) throws(CommandFailure) {
        let losses = differences.compactMap(\.loss)
        guard !losses.isEmpty, !replace else { return }
        if dryRun, workspace.settings.isJSON { Self.json(nil, differences, isPlan: true).print() }
        throw CommandFailure(
            .usage,
            "This would end or change for everybody what only Firebase decides: \(losses.joined(separator: "; ")). "
                + "--replace allows that. Nothing was published.")
    }

    /// Prints the result.
    ///
    /// - Parameters:
    ///   - answer: the published template; `nil` for none.
    ///   - differences: what has changed, or for a dry run what would.
    private func end(
        _ answer: TemplateAnswer?, _ differences: [TemplateDifference], _ sentence: String, _ workspace: Workspace
    ) {
        if workspace.settings.isJSON { Self.json(answer, differences, isPlan: dryRun).print() }
        workspace.settings.say(sentence)
    }

    private static func json(
        _ answer: TemplateAnswer?, _ differences: [TemplateDifference], isPlan: Bool
    ) -> JSONOutput {
        let list = JSONOutput.array(differences.map(\.json))
        guard !isPlan else { return .object([("planned", list)]) }
        let version = answer?.template.version?.number.map(JSONOutput.integer)
        return .object([("published", list), ("version", version ?? .null)])
    }

    private static func sentence(_ answer: TemplateAnswer, after old: TemplateAnswer) -> String {
        let new = answer.template.version?.number.map { " as version \($0)" } ?? ""
        let back = old.template.version?.number.map { " flagmenu publish --rollback \($0) undoes it." } ?? ""
        return "Published\(new).\(back)"
    }

    /// The next step for local values, which change only by activation.
    private var stay: String {
        let fetch = " flagmenu fetch and flagmenu activate make it the remote value here too"
        return keys.isEmpty
            ? "\(fetch)."
            : "\(fetch); then flagmenu reset \(keys.joined(separator: " ")) removes your overrides, which stay."
    }

    /// Confirms on a terminal; elsewhere there is no input.
    private func confirm(_ question: String) throws -> Bool {
        guard !yes else { return true }
        try Ask.require(for: "publish", outcome: "Nothing was published.")
        return Ask.agreement(question)
    }
}
