import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import Flags
import TerminalShell
import TerminalUI

/// `flagmenu list`.
struct ListCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "list", abstract: "List flags: key, effective value, layer.",
        usage: "flagmenu list [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu list --overridden
              flagmenu list --category Location --json
              flagmenu list --matching 'type:bool !login' --order changed
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "Only flags of this category.", completion: .custom { words, _, _ in Completions.categories(words) })
    var category: String?

    @ArgumentParser.Flag(help: "Only flags that are overridden.")
    var overridden = false

    @ArgumentParser.Flag(help: "Only overrides that are stale: same as remote, not listed any more, or not an option.")
    var stale = false

    @Option(help: ArgumentHelp("Only flags that a filter of the menu finds.", valueName: "filter"))
    var matching: String?

    @Option(help: "catalog, changed (overridden flags first) or name.")
    var order = ListingOrder.catalog

    func run(in workspace: Workspace) throws {
        let board = workspace.board
        let inCategory = try category.map { Set(try workspace.places(inCategory: $0)) }
        let candidates = board.places(matching: matching ?? "", order: order.order, isOverriddenOnly: overridden)
        let places = candidates.filter { place in
            (inCategory?.contains(place) ?? true) && (!stale || board.facts(at: place).state.isStale)
        }
        if workspace.settings.isJSON {
            let names = workspace.categoryNames
            JSONOutput.array(
                places.map { FlagJSON.summary(board.facts(at: $0), category: names($0)) }
            ).print()
        } else {
            Self.write(places, of: workspace)
        }
        try workspace.requireOverrides()
    }

    /// Columns on a terminal, tabs elsewhere; nothing in a value can break either.
    static func write(_ places: [FlagBoard.Place], of workspace: Workspace) {
        let isTerminal = StandardOutput.isTerminal
        let rows = places.map { place -> [String] in
            let facts = workspace.board.facts(at: place)
            let marker = facts.state == .notSet ? "" : facts.state.word
            let words = [
                facts.key, EffectiveChange.shown(facts.value), facts.explanation.winner?.word ?? "none", marker,
            ]
            return words.map { $0.shown(onTerminal: isTerminal) }
        }
        guard isTerminal else {
            for row in rows { StandardOutput.write(row.prefix(3).joined(separator: "\t") + "\n") }
            return
        }
        let charset = TerminalLocale.charset
        let widths = (0..<3).map { column in rows.map { DisplayText.width($0[column], charset: charset) }.max() ?? 0 }
        for row in rows {
            let cells = (0..<3).map { DisplayText.padded(row[$0], to: min(widths[$0], 60), charset: charset) }
            let line = (cells + [row[3]]).joined(separator: "  ")
            StandardOutput.write(line.trimmingTrailingSpaces + "\n")
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Workspace {
    /// Tells the category of a place.
    var categoryNames: (FlagBoard.Place) -> String? {
        { place in
            guard case .item(let index) = place else { return nil }
            let catalog = board.catalog
            return catalog.categories[catalog.items[index].category].name.string
        }
    }
}

/// `flagmenu get`.
struct GetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "get", abstract: "Print the effective value of a flag.",
        usage: "flagmenu get <key> [--default <value>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu get enable_multiple_locations
              flagmenu get maximum_item_count --default 10
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The flag's key.", completion: .custom { words, _, _ in Completions.keys(words) })
    var key: String

    @Option(
        name: .customLong("default"), parsing: .unconditional,
        help: ArgumentHelp("Print this where no layer has a value.", valueName: "value"))
    var fallback: String?

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let facts = fallback == nil ? try workspace.facts(of: key) : workspace.knownFacts(of: key)
        guard let value = facts?.value ?? fallback else {
            throw CommandFailure(.noMatch, "No layer has a value for \(JSONOutput.quoted(key, limit: 80)).")
        }
        if workspace.settings.isJSON {
            JSONOutput.object([
                ("key", .string(key)), ("value", .string(value)),
                ("layer", FlagJSON.text(facts?.explanation.winner?.word)),
                ("type", FlagJSON.text(facts?.type.rawValue)),
            ]).print()
        } else {
            // Raw for scripts; on a terminal a value must not be able to act.
            StandardOutput.write((StandardOutput.isTerminal ? value.asTerminalText : value) + "\n")
        }
    }
}

/// `flagmenu explain`.
struct ExplainCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "explain",
        abstract: "Tell why a flag has its value: every layer, the winner, who set it and when.",
        usage: "flagmenu explain <key> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu explain enable_multiple_locations
              flagmenu explain enable_multiple_locations --json
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The flag's key.", completion: .custom { words, _, _ in Completions.keys(words) })
    var key: String

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let facts = try workspace.facts(of: key)
        let (remote, now) = (workspace.remote, SourceClock.system.now())
        let content = ExplanationContent(
            facts, in: remote.snapshot, sources: remote.sources.statuses,
            remote: workspace.fetchedAt.map { ExplanationContent.fetched(at: $0, now: now) } ?? "", now: now)
        if workspace.settings.isJSON {
            FlagJSON.explanation(content).print()
        } else {
            StandardOutput.write(lines: content.lines)
        }
    }
}
