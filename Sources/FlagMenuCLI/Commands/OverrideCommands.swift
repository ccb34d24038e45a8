import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu set`.
struct SetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Override a flag.",
        usage: """
            flagmenu set <key> <value> [--any] [--new] [<options>]
            flagmenu set --matching <filter> <value> [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu set enable_multiple_locations true
              flagmenu set maximum_item_count 1000 --any
              flagmenu set --matching 'type:bool cat:login' true --dry-run
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The flag's key.", completion: .custom { words, _, _ in Completions.keys(words) })
    var key: String

    @Argument(help: "The value, as text.", completion: .custom { words, _, _ in Completions.values(words) })
    var value: String?

    @Option(help: ArgumentHelp("All flags that a filter of the menu finds.", valueName: "filter"))
    var matching: String?

    @Flag(help: "Allow a value outside the options.")
    var any = false

    @Flag(help: "Allow a key that neither catalog nor remote knows.")
    var new = false

    @Flag(help: "Do not ask before many flags are set.")
    var yes = false

    @Flag(help: "Only tell what would change.")
    var dryRun = false

    func validate() throws {
        if matching == nil, value == nil { throw ValidationError("Missing expected argument '<value>'") }
        guard matching == nil || value == nil else {
            throw ValidationError("Name a key, or --matching, but not both.")
        }
    }

    func run(in workspace: Workspace) throws {
        guard let value else { return try setMatching(key, in: workspace) }
        let facts = try workspace.facts(of: key, allowsNew: new)
        let checked = try facts.map { try ValueCheck($0, allowsAny: any).checked(value) } ?? value
        guard !dryRun else {
            return Words.say(ValueDifference(key: key, old: facts?.value, new: checked).sentence)
        }
        let edits = [OverrideEdit.set(key: key, value: checked)]
        let commit = try workspace.apply(edits)
        guard !workspace.settings.isQuiet else { return }
        if commit.changes.isEmpty { Words.say("\(key): \(Workspace.shown(checked)) already (override)") }
        if facts?.item?.needsRestart == true { Words.say("The app reads \(key) at its next start.") }
    }

    /// With a filter in place of the key, the only word is the value.
    private func setMatching(_ value: String, in workspace: Workspace) throws {
        let flags = workspace.flags(matching: matching ?? "")
        guard !flags.isEmpty else { throw CommandFailure(.noMatch, "No flag matches the filter. Nothing was changed.") }
        let question = BulkQuestion.setting(flags, to: value)
        if question.edits.isEmpty, question.exceptions.count == flags.count {
            throw CommandFailure(
                .invalidValue,
                "None of the flags can have the value. \(flags[0].key): "
                    + "\(question.exceptions[0].reason) Nothing was changed.")
        }
        try BulkChange(question: question, workspace: workspace, name: "set --matching")
            .run(asks: !yes, isDryRun: dryRun)
    }
}

/// Whether a value may be given to a flag.
struct ValueCheck {
    private let facts: FlagFacts
    private let allowsAny: Bool

    init(_ facts: FlagFacts, allowsAny: Bool) {
        self.facts = facts
        self.allowsAny = allowsAny
    }

    /// The value as it is stored: an option's own spelling where it means the same, such as `true` for `on`.
    func checked(_ value: String) throws(CommandFailure) -> String {
        if let option = facts.option(meaning: value) { return option.value }
        if facts.hasChoice, !facts.isOpenToOtherValues, !allowsAny {
            let list = facts.options.map { Workspace.shown($0.value) }.joined(separator: ", ")
            throw CommandFailure(
                .invalidValue,
                "\(JSONOutput.quoted(value, limit: 80)) is not an option of \(facts.key). Options: \(list). "
                    + "Nothing was changed; --any sets it anyway.")
        }
        if let objection = facts.objection(to: value) {
            guard allowsAny else {
                throw CommandFailure(.invalidValue, "\(facts.key): \(objection) Nothing was changed.")
            }
            let isReadable = facts.type.accepts(value)
            let consequence = isReadable ? "It was set anyway." : "Apps pass the override over until it can be read."
            Words.warn("\(facts.key): \(objection) \(consequence)")
        }
        return value
    }
}

/// `flagmenu toggle`.
struct ToggleCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Flip a bool, or step to the next option; back at remote's value, follow remote.",
        usage: "flagmenu toggle <key> [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu toggle enable_multiple_locations
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The flag's key.", completion: .custom { words, _, _ in Completions.keys(words) })
    var key: String

    func run(in workspace: Workspace) throws {
        let facts = try workspace.facts(of: key)
        guard facts.toggled != nil else {
            throw CommandFailure(
                .invalidValue, "\(key) has no options to step through. flagmenu set \(key) VALUE gives it a value.")
        }
        // Decided again where nobody else can change it: two that toggle at once are two steps.
        try workspace.apply(label: "toggle \(key)") { overrides in
            workspace.board.facts(of: key, overrides: overrides).toggled.map { [$0] } ?? []
        }
    }
}

/// `flagmenu reset`.
struct ResetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Remove overrides, so that the remote values are used again.",
        usage: """
            flagmenu reset <key> ... [<options>]
            flagmenu reset --category <category> [<options>]
            flagmenu reset --matching <filter> [--yes] [<options>]
            flagmenu reset --all [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu reset enable_multiple_locations
              flagmenu reset --category Location
              flagmenu reset --all --yes
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Keys of flags.", completion: .custom { words, _, _ in Completions.overriddenKeys(words) })
    var keys: [String] = []

    @Option(help: "All flags of a category.", completion: .custom { words, _, _ in Completions.categories(words) })
    var category: String?

    @Option(help: ArgumentHelp("All flags that a filter of the menu finds.", valueName: "filter"))
    var matching: String?

    @Flag(help: "All overrides.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only tell what would change.")
    var dryRun = false

    func validate() throws {
        let ways = [!keys.isEmpty, category != nil, matching != nil, all].count { $0 }
        guard ways == 1 else {
            throw ValidationError("Name keys, or --category, or --matching, or --all, but only one of them.")
        }
    }

    func run(in workspace: Workspace) throws {
        if let matching {
            try resetMatching(matching, in: workspace)
        } else if dryRun {
            try run(.clearing(try flags(in: workspace)), in: workspace)
        } else if all {
            try resetAll(workspace)
        } else if let category {
            let places = try workspace.places(inCategory: category).filter(workspace.board.isOverridden)
            try reset(places.map { workspace.board.key(at: $0).string }, in: workspace)
        } else {
            for key in keys { _ = try workspace.facts(of: key) }
            try reset(keys, in: workspace)
        }
    }

    private func reset(_ keys: [String], in workspace: Workspace) throws {
        let commit = try workspace.apply(keys.map(OverrideEdit.clear))
        guard !workspace.settings.isQuiet else { return }
        let changed = Set(commit.changes.map(\.key))
        for key in keys where !changed.contains(key) { Words.say("\(key): not overridden") }
        if keys.isEmpty { Words.say("Nothing in this category is overridden.") }
    }

    private func resetMatching(_ filter: String, in workspace: Workspace) throws {
        let flags = workspace.flags(matching: filter)
        guard !flags.isEmpty else { throw CommandFailure(.noMatch, "No flag matches the filter. Nothing was changed.") }
        try run(.clearing(flags), in: workspace)
    }

    private func run(_ question: BulkQuestion, in workspace: Workspace) throws {
        try BulkChange(question: question, workspace: workspace, name: "reset --matching")
            .run(asks: !yes, isDryRun: dryRun)
    }

    /// The flags that are named in one of the ways.
    private func flags(in workspace: Workspace) throws -> [FlagFacts] {
        if all { return workspace.board.places.map(workspace.board.facts(at:)) }
        guard let category else { return try keys.map { try workspace.facts(of: $0) } }
        return try workspace.places(inCategory: category).map(workspace.board.facts(at:))
    }

    private func resetAll(_ workspace: Workspace) throws {
        let keys = workspace.reading.table.overrides.keys.sorted()
        var edits: [OverrideEdit] = [.clearAll]
        if !yes, !keys.isEmpty {
            guard try confirm(keys) else { return Words.say("Nothing was removed.") }
            // What was listed is what is removed: an override that somebody sets meanwhile was not asked about.
            edits = keys.map(OverrideEdit.clear)
        }
        let commit = try workspace.apply(edits)
        if commit.changes.isEmpty, !workspace.settings.isQuiet { Words.say("Nothing is overridden.") }
    }

    /// Asks on a terminal, with the list; elsewhere nobody can answer.
    private func confirm(_ keys: [String]) throws -> Bool {
        guard StandardInput.isTerminal, StandardError.isTerminal else {
            throw CommandFailure(
                .usage, "reset --all needs --yes where there is no terminal to ask on. Nothing was removed.")
        }
        for key in keys { Words.say("  \(key)") }
        StandardError.write("Remove \(keys.count) \(keys.count == 1 ? "override" : "overrides")? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}

/// `flagmenu undo`.
struct UndoCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change, whoever made it.",
        usage: "flagmenu undo [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu undo && flagmenu history --limit 1
            """)

    @OptionGroup var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        try workspace.moveHistory { () throws(StorageError) in try workspace.store.undo() }
    }
}

/// `flagmenu redo`.
struct RedoCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Redo the last undo.", usage: "flagmenu redo [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu redo
            """)

    @OptionGroup var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        try workspace.moveHistory { () throws(StorageError) in try workspace.store.redo() }
    }
}

extension Workspace {
    fileprivate func moveHistory(_ move: () throws(StorageError) -> StoreCommit) throws(CommandFailure) {
        do throws(StorageError) {
            tell(try move())
        } catch {
            let isAtEnd = error.code == .nothingToUndo || error.code == .nothingToRedo
            throw isAtEnd ? CommandFailure(.noMatch, error.description) : failure(of: error)
        }
    }
}

/// `flagmenu history`.
struct HistoryCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what was changed, when and by whom, the newest first.",
        usage: "flagmenu history [--limit <count>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu history --limit 5
              flagmenu history --json | jq -r '.[].action'
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("At most this many entries.", valueName: "count"))
    var limit: Int?

    func run(in workspace: Workspace) throws {
        let records = try Self.records(of: workspace.store, limit: limit)
        if workspace.settings.isJSON {
            JSONOutput.array(records.map(Self.json)).print()
        } else {
            for line in records.flatMap(Self.lines) { StandardOutput.write(line.asTerminalText + "\n") }
        }
    }

    /// What was changed, when and by whom, the newest first.
    static func lines(of store: OverrideStore, limit: Int?) throws(CommandFailure) -> [String] {
        let lines = try records(of: store, limit: limit).flatMap(lines)
        return lines.isEmpty ? ["Nothing was changed yet."] : lines
    }

    private static func records(of store: OverrideStore, limit: Int?) throws(CommandFailure) -> [HistoryRecord] {
        do throws(StorageError) {
            return try store.history(limit: limit.map { max(0, $0) })
        } catch {
            throw CommandFailure(.store, error.description)
        }
    }

    private static func lines(_ record: HistoryRecord) -> [String] {
        let undone = record.isUndone ? " (undone)" : ""
        let head = "\(record.revision)  \(record.at.rfc3339)  \(record.by)  \(record.action)\(undone)"
        return [head]
            + record.changes.map { change in
                "    \(change.key): \(Workspace.shown(change.old?.value)) -> \(Workspace.shown(change.new?.value))"
            }
    }

    private static func json(_ record: HistoryRecord) -> JSONOutput {
        .object([
            ("revision", .integer(record.revision)), ("at", .string(record.at.rfc3339)), ("by", .string(record.by)),
            ("action", .string(record.action)), ("undone", .bool(record.isUndone)),
            (
                "changes",
                .array(
                    record.changes.map { change in
                        .object([
                            ("key", .string(change.key)), ("old", FlagJSON.text(change.old?.value)),
                            ("new", FlagJSON.text(change.new?.value)),
                        ])
                    })
            ),
        ])
    }
}
