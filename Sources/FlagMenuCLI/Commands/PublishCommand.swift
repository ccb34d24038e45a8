import ArgumentParser
import FlagModel
import FlagSourceFirebase
import FlagStorage

/// `flagmenu publish`.
struct PublishCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Make overrides the values of a Firebase template, for everybody.",
        usage: """
            flagmenu publish <key> ... [--condition <name>] [--yes] [<options>]
            flagmenu publish --rollback <version> [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu publish new_menu
              flagmenu publish new_menu theme --condition ios --dry-run
              flagmenu publish --rollback 41

            Shows what would change, has Firebase check it, and asks. Nothing is published if somebody else has \
            published in the meantime. The overrides stay; flagmenu reset removes them.
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
        help: ArgumentHelp("What the list of versions says about it.", valueName: "text"))
    var details: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only have it checked, and tell what would change.")
    var dryRun = false

    func validate() throws {
        guard keys.isEmpty != (rollback == nil) else {
            throw ValidationError("Name keys, or a version with --rollback, but only one of them.")
        }
        if rollback != nil, condition != nil || details != nil || dryRun {
            throw ValidationError("--rollback goes with --yes only: Firebase takes the old version as it is.")
        }
    }

    func run(in workspace: Workspace) throws {
        if let refusal = workspace.settings.readOnlyRefusal {
            throw CommandFailure(workspace.settings.refusalStatus, refusal)
        }
        let template = try PublishedTemplate(workspace.settings)
        if let rollback {
            try rollBack(to: rollback, template, workspace)
        } else {
            try publish(try keys.map { try value(of: $0, workspace) }, template, workspace)
        }
    }

    private typealias Wanted = (key: FlagText, text: FlagText)

    /// What is to be published for a key.
    private func value(of key: String, _ workspace: Workspace) throws -> Wanted {
        let facts = try workspace.facts(of: key)
        guard let override = workspace.reading.table.overrides[key] else {
            throw CommandFailure(
                .noMatch,
                "\(key) is not overridden, so there is nothing to publish. flagmenu set \(key) VALUE overrides it.")
        }
        guard facts.type.accepts(override.value) else {
            throw CommandFailure(
                .invalidValue, "The override of \(key) is no \(facts.type.rawValue), so nothing was published.")
        }
        return (FlagText(key), FlagText(override.value))
    }

    private func publish(_ wanted: [Wanted], _ template: PublishedTemplate, _ workspace: Workspace) throws {
        while true {
            let newest = try template.newest()
            let draft = try draft(of: wanted, newest)
            guard !draft.changes.isEmpty else {
                return say("\(template.title), says so already. Nothing was published.", workspace)
            }
            if case .stale = try template.check(draft) { continue }
            try tell(draft, newest, template, workspace)
            if dryRun { return say("Firebase would take it. Nothing was published.", workspace) }
            guard try confirm("Publish this for everybody?") else {
                return say("Nothing was published.", workspace)
            }
            switch try template.publish(draft) {
            case .published(let answer):
                return say(Self.sentence(answer, after: newest) + stay(draft), workspace)
            case .stale(let error):
                guard !yes else { throw CommandFailure(.remote, "\(error). Nothing was published.") }
                say("\(error). This is what would change now:", workspace)
            }
        }
    }

    /// The newest template with what is wanted and not there yet.
    private func draft(of wanted: [Wanted], _ newest: TemplateAnswer) throws -> TemplateDraft {
        do throws(TemplateDraft.Objection) {
            var draft = try TemplateDraft(newest, details: details)
            for (key, text) in wanted {
                var changed = draft
                try changed.set(key, to: text, under: condition.map { FlagText($0) })
                if changed.changes.last?.old.text != text { draft = changed }
            }
            return draft
        } catch {
            throw CommandFailure(.noMatch, "\(error) Nothing was published.")
        }
    }

    /// What would change, against which version, and what it does not reach.
    private func tell(
        _ draft: TemplateDraft, _ newest: TemplateAnswer, _ template: PublishedTemplate, _ workspace: Workspace
    ) throws {
        if workspace.settings.isJSON, dryRun {
            let planned = draft.changes.map { change in
                JSONOutput.object([
                    ("key", .string(change.key.string)), ("condition", FlagJSON.text(change.condition?.string)),
                    ("old", FlagJSON.text(change.old.text?.string)), ("new", .string(change.new.string)),
                ])
            }
            return JSONOutput.object([("planned", .array(planned))]).print()
        }
        say("\(template.title), \(newest.template.version?.words ?? "of no known version"):", workspace)
        for change in draft.changes {
            let place = change.condition.map { "condition \($0.string)" } ?? "default value"
            let old = change.old.text?.string
            say(
                "  \(ValueDifference(key: change.key.string, old: old, new: change.new.string).sentence) (\(place))",
                workspace)
            let parameter = newest.template.parameters.first { $0.key == change.key }
            let deciding = (parameter?.conditionalValues ?? []).map(\.condition.string)
            if change.condition == nil, !deciding.isEmpty {
                say(
                    "    Where one of these conditions holds, its value stays: \(deciding.joined(separator: ", ")).",
                    workspace)
            }
        }
    }

    private func rollBack(to version: Int, _ template: PublishedTemplate, _ workspace: Workspace) throws {
        let newest = try template.newest()
        let words = newest.template.version?.words ?? "no known version"
        say("\(template.title), is at \(words).", workspace)
        guard try confirm("Publish version \(version) again for everybody?") else {
            return say("Nothing was published.", workspace)
        }
        say(Self.sentence(try template.rollBack(to: version), after: newest), workspace)
    }

    private static func sentence(_ answer: TemplateAnswer, after old: TemplateAnswer) -> String {
        let new = answer.template.version?.number.map { " as version \($0)" } ?? ""
        let back = old.template.version?.number.map { " flagmenu publish --rollback \($0) goes back." } ?? ""
        return "Published\(new).\(back)"
    }

    private func stay(_ draft: TemplateDraft) -> String {
        let keys = draft.changes.map(\.key.string).joined(separator: " ")
        return " Your overrides stay; flagmenu reset \(keys) removes them."
    }

    private func say(_ sentence: String, _ workspace: Workspace) {
        if !workspace.settings.isQuiet { StandardError.say(sentence) }
    }

    /// Asks on a terminal; elsewhere nobody can answer.
    private func confirm(_ question: String) throws -> Bool {
        guard !yes else { return true }
        try Ask.require(for: "publish", outcome: "Nothing was published.")
        return Ask.agreement(question)
    }
}
