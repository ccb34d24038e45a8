import ArgumentParser
import FlagModel
import FlagSourceFirebase
import FlagStorage
import FlagWorkspace

struct PublishCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "publish", abstract: "Publish overrides to a Firebase template, for everybody.",
        usage: """
            flagmenu firebase publish <key> ... [--yes] [<options>]
            flagmenu firebase publish --rollback <version> [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu firebase publish new_menu
              flagmenu firebase publish new_menu theme --condition ios --dry-run
              flagmenu firebase publish --rollback 41

            Shows what would change, validates it with Firebase, and asks. Nothing is published if somebody else has \
            published in the meantime. Rollouts, experiments and personalizations are replaced only with --replace. The \
            overrides stay until flagmenu reset removes them, and flagmenu fetch reads what was published.
            """)

    @Argument(help: "Keys of overridden flags.", completion: Completions.overriddenKeys)
    var keys: [String] = []

    @Option(help: ArgumentHelp("Publish to the value of this condition, not to the default value.", valueName: "name"))
    var condition: String?

    @Option(help: ArgumentHelp("Publish an old version again.", valueName: "version"))
    var rollback: Int?

    @OptionGroup var publishing: PublishingOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

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
        let (settings, services) = (workspace.settings, workspace.run.services)
        try settings.requireChanges()
        // The warnings about opening the sources were printed already.
        if !settings.isQuiet { _ = services.warnings.readNew() }
        let template = try PublishedTemplate(settings, services)
        let values = try keys.map { try value(of: $0, workspace) }
        try template.publish(publishing, keys: keys) { newest in
            let old = try rollback.map { try template.version($0).bytes }
            let details = publishing.details ?? rollback.map { "Restores version \($0)" }
            var draft = try TemplateDraft(newest, replacedBy: old, details: details)
            for (key, text) in values { try draft.set(key, to: text, under: condition.map { FlagText($0) }) }
            return draft
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
}
