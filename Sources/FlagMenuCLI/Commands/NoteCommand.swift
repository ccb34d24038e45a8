import ArgumentParser
import FlagModel
import FlagStorage
import FlagWorkspace

struct NoteCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "note", abstract: "Say why an override exists.",
        usage: "flagmenu note <key> <text> [--layer team] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu note enable_multiple_locations "BUG-4711, ask Ana"
              flagmenu note enable_multiple_locations ""

            An empty text removes the note. list, explain, history and export show notes; no service gets them. If the \
            flag is not overridden, note exits with 1.
            """)

    @Argument(help: "The flag's key.", completion: Completions.overriddenKeys)
    var key: String

    @Argument(help: "Why the override exists.")
    var text: String

    @OptionGroup var layer: LayerOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func needsTeam(in workspace: Workspace) -> Bool { layer.isTeam }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        if layer.isTeam { _ = try workspace.requireTeam() }
        let facts = try workspace.facts(of: key)
        guard (layer.isTeam ? facts.team : facts.override) != nil else {
            let words = layer.isTeam ? "The team has no value for \(key)" : "\(key) is not overridden"
            throw CommandFailure(
                .noMatch, "\(words), so there is no place for a note. flagmenu set with --note sets both.")
        }
        let edits = [OverrideEdit.note(key: key, text)]
        let hasChanged = try layer.isTeam ? workspace.changeTeam([edits]) : !workspace.apply(edits).isEmpty
        if !hasChanged { workspace.settings.printLine("\(key): the note says that already.") }
    }
}
