import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct SetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "set", abstract: "Override a flag.",
        usage: """
            flagmenu set <key> <value> [--any] [--new] [<options>]
            flagmenu set <key> <value> [--note <text>] [--for <time>] [<options>]
            flagmenu set <key>=<value> [--any] [--new] [<options>]
            flagmenu set --matching <filter> <value> [--yes] [<options>]
            flagmenu set <key> <value> --layer team [--for <time>] [<options>]
            flagmenu set --matching <filter> <value> --layer team [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu set enable_multiple_locations true
              flagmenu set maximum_item_count 1000 --any
              flagmenu set --matching 'type:bool cat:login' true --dry-run
              flagmenu set enable_multiple_locations true --note BUG-4711 --until 18:00
              flagmenu set enable_multiple_locations true --layer team --for 2h

            \(FilterHelp.text) Flags that already have the value are left out; if they are overridden, they get the note and \
            the end.

            --for counts also while the machine sleeps, and a changed clock does not matter. --until takes local time; if \
            18:00 has passed, it is that of tomorrow. Setting a value keeps the note of an override, but not its end.
            """)

    /// The key and the value: one list, because only a list gets a negative number, which looks like an option.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The flag's key, and the value as text.", valueName: "key-value"),
        completion: Completions.keysOrValues)
    var typed: [String] = []

    @Option(help: ArgumentHelp("All flags that a filter matches.", valueName: "filter"))
    var matching: String?

    @OptionGroup var layer: LayerOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Say why the override exists; an empty text removes the note.", valueName: "text"))
    var note: String?

    @OptionGroup var ends: EndOptions

    @OptionGroup var waiting: WaitOptions

    @Flag(help: "Allow any value, even one that is invalid for the flag, or that a running app cannot read.")
    var any = false

    @Flag(help: "Allow a key that is not in the catalog or remote.")
    var new = false

    @Flag(help: "Do not ask before many flags are set.")
    var yes = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    /// The key and the value; with `--matching`, the value alone.
    private var words: [String] {
        var words = typed
        if let end = words.firstIndex(of: "--") { words.remove(at: end) }
        guard matching == nil, words.count == 1, let equals = words[0].firstIndex(of: "=") else { return words }
        return [String(words[0][..<equals]), String(words[0][words[0].index(after: equals)...])]
    }

    func validate() throws {
        let options = typed.prefix { $0 != "--" }.filter { $0.count > 1 && $0.hasPrefix("-") }
        if let unknown = options.first(where: { FlagReading.double($0) == nil }) {
            throw ValidationError("Unknown option '\(unknown)'")
        }
        let (words, count) = (words, matching == nil ? 2 : 1)
        guard words.count >= count else {
            throw ValidationError("Missing expected argument '\(words.count == count - 1 ? "<value>" : "<key>")'")
        }
        guard words.count == count else {
            throw ValidationError(
                matching == nil
                    ? "Unexpected argument '\(words[count])'" : "Name a key, or --matching, but not both.")
        }
        try layer.reject("--until-restart", if: ends.untilRestart)
        try layer.reject("--wait", if: waiting.time != nil)
    }

    func needsTeam(in workspace: Workspace) -> Bool { layer.isTeam && matching != nil }

    func isLocal(in workspace: Workspace) -> Bool {
        matching == nil && (new || workspace.knownFacts(of: words[0]) != nil)
    }

    func run(in workspace: Workspace) throws {
        let words = words
        if let matching { return try set(matching, to: words[0], in: workspace) }
        let (key, value) = (words[0], words[1])
        let facts = try workspace.facts(of: key, allowsNew: new)
        let checked = try facts.map { try $0.checked(value, allowsAny: any) } ?? value
        let edits = try [.set(key: key, value: checked)] + additions(in: workspace)(key)
        guard !dryRun else {
            try workspace.requireOverrides()
            let old = layer.isTeam ? workspace.teamOverrides : workspace.reading.table.overrides
            StandardError.printLine(ValueDifference(key: key, old: facts?.value, new: checked).sentence())
            return workspace.additions(by: edits, to: old).forEach(StandardError.printLine)
        }
        guard !layer.isTeam else {
            let hasChanged = try workspace.changeTeam([edits])
            if !hasChanged { workspace.settings.printLine("\(key): \(EffectiveChange.shown(checked)) already (team)") }
            return
        }
        let commit = try workspace.apply(edits, allowsAny: any)
        if !workspace.settings.isQuiet {
            if commit.changes.isEmpty {
                StandardError.printLine("\(key): \(EffectiveChange.shown(checked)) already (override)")
            }
            workspace.printNotes(for: key, after: commit)
        }
        try workspace.wait(waiting.time?.seconds, for: [key], after: commit)
    }

    private func additions(in workspace: Workspace) throws -> (String) -> [OverrideEdit] {
        let ending = try ends.edits(in: workspace)
        return { key in (note.map { [.note(key: key, $0)] } ?? []) + ending(key) }
    }

    /// Sets all flags that the filter matches.
    private func set(_ filter: String, to value: String, in workspace: Workspace) throws {
        if layer.isTeam { _ = try workspace.requireTeam() }
        let flags = try layer.isTeam ? workspace.teamFlags(matching: filter) : workspace.flags(matching: filter)
        let plan =
            layer.isTeam
            ? BulkPlan.sharing(flags, as: value, withTeam: workspace.teamName) : .setting(flags, to: value)
        if plan.edits.isEmpty, plan.exceptions.count == flags.count {
            throw CommandFailure(
                .invalidValue,
                "None of the flags can have the value. \(flags[0].key): "
                    + "\(plan.exceptions[0].reason) Nothing was changed.")
        }
        if !plan.unchanged.isEmpty {
            let count = plan.unchanged.count.counted("flag already has", "flags already have")
            workspace.settings.printLine("\(count) the value: \(plan.unchanged.joined(separator: ", ")).")
        }
        let commit = try BulkChange(
            plan: plan, workspace: workspace, name: "set --matching", isOfTeam: layer.isTeam,
            additions: additions(in: workspace), allowsAny: any
        ).run(confirms: !yes, isDryRun: dryRun)
        let waitingKeys = plan.keysSet + plan.unchanged
        if let commit { try workspace.wait(waiting.time?.seconds, for: waitingKeys, after: commit) }
    }
}

extension FlagFacts {
    /// The value to store for a typed value. Prints a warning if it is invalid and accepted.
    ///
    /// - Parameter allowsAny: whether to accept any value.
    /// - Throws: an error if the flag cannot have the value.
    func checked(_ value: String, allowsAny: Bool) throws(InvalidText) -> String {
        let stored = try valueToStore(value, allowsAny: allowsAny, option: "--any")
        consequence(ofStoring: stored).map(StandardError.warn)
        return stored
    }
}

extension Workspace {
    /// Prints the notes on a flag that was just changed.
    func printNotes(for key: String, after commit: StoreCommit) {
        var board = board
        board.replaceOverrides(commit.table.overrides)
        for note in board.changeNotes(for: key) { StandardError.printLine(note) }
    }
}
