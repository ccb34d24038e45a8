import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagWorkspace
import Flags
import TerminalShell
import TerminalUI

struct ListCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "list", abstract: "List flags: key, effective value, layer.",
        usage: "flagmenu list [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu list --overridden
              flagmenu list --category Location --json
              flagmenu list --matching 'type:bool !login' --order changed

            \(FilterHelp.text) If no flag matches, list exits with 1.

            --json writes an array with an object for each flag: key, value (the effective one), layer, type, state \
            (notSet, overridden, sameAsRemote, stale or invalid), title, category, description, options (value and \
            label), values (by layer), setBy, setAt, note, endsAt and endsWithRestart (of the override), source (of the \
            remote value), declaredBy (the programs whose code declares the flag: program, running, seenAt, type and \
            default) and mismatches (sentences about types and defaults that disagree). Every object has these \
            members; unknown ones are null.
            """,
        aliases: ["ls"])

    @Option(help: "Only flags of this category.", completion: Completions.categories)
    var category: String?

    @ArgumentParser.Flag(help: "Only flags that are overridden.")
    var overridden = false

    @ArgumentParser.Flag(help: "Only overrides that are stale: same as remote, not listed any more, or not an option.")
    var stale = false

    @Option(help: ArgumentHelp("Only flags that a filter matches.", valueName: "filter"))
    var matching: String?

    @Option(help: "Only flags with a value in this layer: override or team. With team: value, author, time and end.")
    var layer: LayerChoice?

    @Option(help: "catalog, changed (overridden flags first), name or prefix.")
    var order = ListingOrder.catalog

    @OptionGroup(title: "General options") var options: GlobalOptions

    func needsTeam(in workspace: Workspace) -> Bool { !overridden && layer != .override }

    func isLocal(in workspace: Workspace) -> Bool {
        (overridden || layer != nil) && !stale && category == nil && matching == nil
    }

    /// Without remote values every override would be listed as stale.
    var runsWithoutValues: Bool { !stale }

    func run(in workspace: Workspace) throws {
        let board = workspace.board
        let inCategory = try category.map { Set(try workspace.places(inCategory: $0)) }
        let candidates = try workspace.places(
            matching: matching ?? "", order: order.order, isOverriddenOnly: overridden || layer == .override)
        if layer == .team { _ = try workspace.requireTeam() }
        let listed = layer == .team ? candidates.filter { workspace.board.facts(at: $0).team != nil } : candidates
        let places = listed.filter { place in
            (inCategory?.contains(place) ?? true) && (!stale || board.facts(at: place).state.isStale)
        }
        Self.write(places, of: workspace, layer: layer)
        try workspace.requireOverrides()
        if places.isEmpty { try printNothingListed(workspace) }
    }

    /// Prints why the list is empty.
    ///
    /// - Throws: an error with the reason if a filter matches nothing, so that scripts get an exit code other than 0.
    private func printNothingListed(_ workspace: Workspace) throws(CommandFailure) {
        if let matching, !matching.isEmpty {
            let kind = overridden ? "overridden flag" : stale ? "stale override" : "flag"
            throw CommandFailure(.noMatch, "No \(kind) matches \(JSONOutput.quoted(matching, limit: 80)).")
        }
        // The error that follows says why.
        guard overridden || stale || layer != nil || workspace.missingValues == nil else { return }
        guard layer != .team else { return workspace.settings.printLine("The team has no values.") }
        let place = category.map { " in \($0)" } ?? ""
        workspace.settings.printLine(
            stale
                ? "No override\(place) is stale."
                : overridden || layer == .override ? "No flag\(place) is overridden." : "There are no flags.")
    }

    /// Prints flags: as a JSON array with `--json`, in columns on a terminal, else separated by tabs. Tabs and newlines
    /// in values are escaped.
    ///
    /// - Parameter layer: `team` to print the team's values with their authors instead of the effective values.
    static func write(_ places: [FlagBoard.Place], of workspace: Workspace, layer: LayerChoice? = nil) {
        let (board, now) = (workspace.board, SourceClock.system.now())
        guard !workspace.settings.isJSON else {
            return JSONOutput.array(workspace.listed(places.map(board.facts(at:)))).print()
        }
        let rows = places.map { place in
            let facts = board.facts(at: place)
            guard layer != .team else { return facts.teamWords(at: now) }
            let isKnown = workspace.unknownValueReason(facts) == nil
            return [
                facts.key, isKnown ? EffectiveChange.shown(facts.value) : "not known",
                (isKnown ? facts.explanation.winner?.word : nil) ?? "none",
                ([facts.stateWord].filter { !$0.isEmpty } + (facts.override?.additions(at: now) ?? []))
                    .joined(separator: ", "),
            ]
        }
        guard !StandardOutput.isTerminal else {
            let charset = TerminalLocale.charset
            let clipped = rows.map { row in
                row.prefix(3).map { DisplayText.clipped($0, to: 60, charset: charset) } + row.suffix(1)
            }
            return StandardOutput.write(lines: clipped.table)
        }
        // The state of an override is for people; who set a team's value, and until when, is for scripts, too.
        let columns = layer == .team ? 4 : 3
        for row in rows {
            let cells = row.prefix(columns).map { $0.shown(onTerminal: false) }
            StandardOutput.write(cells.joined(separator: "\t") + "\n")
        }
    }
}

/// The order of `flagmenu list`, by its name on the command line.
enum ListingOrder: String, CaseIterable, ExpressibleByArgument {
    case catalog, changed, name, prefix

    /// The menu's order with this name.
    fileprivate var order: ListOrder { ListOrder(rawValue: rawValue) ?? .changedFirst }
}

extension FlagFacts {
    /// The key, the team's value, its author, and when it was set and ends.
    fileprivate func teamWords(at now: FlagTimestamp) -> [String] {
        let age = team?.setAt.map { $0.age(at: now) }
        return [
            key, EffectiveChange.shown(team?.value), team?.setBy ?? "unknown",
            ([age].compactMap { $0 } + (team?.additions(at: now) ?? [])).joined(separator: ", "),
        ]
    }
}

struct GetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "get", abstract: "Print the effective value of flags.",
        usage: "flagmenu get <key> ... [--default <value>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu get enable_multiple_locations
              flagmenu get maximum_item_count --default 10
              flagmenu get login_variant maximum_item_count --json
              flagmenu get enable_multiple_locations --type bool

            With several keys, get prints one value per line, in their order. A value can contain line breaks; --json \
            is unambiguous: it writes an object with key, value, layer, type, and note, endsAt and endsWithRestart of the \
            override if it has them, or an array of these for several keys. A key without a value is left out, and get exits with 1 after the others.
            """)

    @Argument(help: ArgumentHelp("Keys of flags.", valueName: "key"), completion: Completions.keys)
    var keys: [String]

    @Option(
        name: .customLong("default"), parsing: .unconditional,
        help: ArgumentHelp("Print this if no layer has a value.", valueName: "value"))
    var fallback: String?

    @Option(
        help: ArgumentHelp(
            "Read the value as this type, as an app does: bool, int, double, string or json. A bool prints true or "
                + "false.", valueName: "type"),
        completion: .list(FlagType.allCases.map(\.rawValue)),
        transform: { word in
            guard let type = FlagType(rawValue: word) else {
                throw ValidationError("The types are bool, int, double, string and json.")
            }
            return type
        })
    var type: FlagType?

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { keys.allSatisfy(workspace.isSetLocally) }

    func needsTeam(in workspace: Workspace) -> Bool { !isLocal(in: workspace) }

    var runsWithoutValues: Bool { true }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        var failures: [CommandFailure] = []
        var values: [JSONOutput] = []
        for key in keys {
            do throws(CommandFailure) {
                let (value, facts) = try value(of: key, in: workspace)
                if workspace.settings.isJSON {
                    values.append(FlagJSON.value(value, of: key, facts))
                } else {
                    // Scripts get the value unchanged. On a terminal, the value is escaped but not shortened, so that
                    // the user can copy it.
                    let shown = DisplayText.lossless(value, charset: TerminalLocale.charset)
                    StandardOutput.write((StandardOutput.isTerminal ? shown : value) + "\n")
                }
            } catch {
                failures.append(error)
            }
        }
        if options.json { (keys.count > 1 ? .array(values) : values.first)?.print() }
        try StandardOutput.flush()
        failures.dropLast().forEach { $0.report() }
        if let failure = failures.last { throw failure }
    }

    private func value(
        of key: String, in workspace: Workspace
    ) throws(CommandFailure) -> (value: String, facts: FlagFacts?) {
        let facts = fallback == nil ? try workspace.facts(of: key) : workspace.knownFacts(of: key)
        try workspace.requireKnownValue(of: key, facts)
        guard let value = facts?.value ?? fallback else {
            throw CommandFailure(.noMatch, "No layer has a value for \(JSONOutput.quoted(key, limit: 80)).")
        }
        if let reason = type?.invalidReason(to: value) { throw CommandFailure(.invalidValue, "\(key): \(reason)") }
        guard type == .bool, let bool = FlagReading.bool(value) else { return (value, facts) }
        return (bool ? "true" : "false", facts)
    }
}

struct ExplainCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "explain",
        abstract: "Show why a flag has its value: every layer, the winner, who set it and when, and running apps.",
        usage: "flagmenu explain <key> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu explain enable_multiple_locations
              flagmenu explain enable_multiple_locations --json
            """)

    @Argument(help: "The flag's key.", completion: Completions.keys)
    var key: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    var runsWithoutValues: Bool { true }

    func needsTeam(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let facts = try workspace.facts(of: key)
        let content = workspace.explanation(of: facts)
        let apps = workspace.lines(ofAppsFor: facts)
        let unknown = workspace.unknownValueReason(facts)
        let unknownLines = unknown.map { ["", "The value is not known. \($0)"] } ?? []
        options.print(
            FlagJSON.explanation(content, apps: apps, isValueKnown: unknown == nil),
            or: content.lines(apps: apps) + unknownLines)
    }
}

extension Workspace {
    /// Flags as JSON.
    func listed(_ flags: [FlagFacts]) -> [JSONOutput] {
        let (snapshot, names) = (remote.snapshot, remote.sources.names)
        return flags.map { facts in
            FlagJSON.listed(
                facts, category: board.categoryName(of: facts),
                source: snapshot.sourceName(of: FlagText(facts.key), among: names),
                isValueKnown: unknownValueReason(facts) == nil)
        }
    }

    /// Why a flag has its value.
    func explanation(of facts: FlagFacts) -> ExplanationContent {
        let now = SourceClock.system.now()
        return ExplanationContent(
            facts, in: remote.snapshot, sources: remote.sources.statuses,
            remote: fetchedAt.map { ExplanationContent.fetched(at: $0, now: now) } ?? "", now: now)
    }
}
