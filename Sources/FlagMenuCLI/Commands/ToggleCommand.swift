import ArgumentParser
import FlagModel
import FlagWorkspace

struct ToggleCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "toggle",
        abstract: "Flip a bool, or set the next option; resets the override if that is the remote value.",
        usage: "flagmenu toggle <key> [--for <time>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu toggle enable_multiple_locations
              flagmenu toggle enable_multiple_locations --for 30m
            """)

    @Argument(help: "The flag's key.", completion: Completions.keys)
    var key: String

    @OptionGroup var ends: EndOptions

    @OptionGroup var waiting: WaitOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { workspace.knownFacts(of: key)?.toggled != nil }

    func run(in workspace: Workspace) throws {
        let facts = try workspace.facts(of: key)
        try workspace.requireKnownValue(of: key, facts)
        guard facts.toggled != nil else {
            throw CommandFailure(
                .invalidValue, "\(key) has no options to step through. flagmenu set \(key) VALUE sets a value.")
        }
        // The next value is computed under the lock, so that the second of two concurrent toggles starts from the
        // result of the first.
        let ending = try ends.edits(in: workspace)
        let isRemoteKnown = workspace.unknownRemoteValues == nil
        let commit = try workspace.apply(label: "toggle \(key)") { table in
            let facts = workspace.board.facts(of: key, overrides: table.overrides)
            // Without the override, the app may have another value than the default in code.
            let edit = isRemoteKnown ? facts.toggled : facts.nextOption.map { .set(key: key, value: $0) }
            return edit.map { [$0] + $0.keysSet.flatMap(ending) } ?? []
        }
        if !workspace.settings.isQuiet { workspace.printNotes(for: key, after: commit) }
        try workspace.wait(waiting.time?.seconds, for: [key], after: commit)
    }
}
