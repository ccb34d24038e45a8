import FlagModel

// The commands that do in a shell what actions do here.
extension MenuState {
    /// The commands that do what an action of the list would do now; none for what only moves about the screen.
    func commands(for intent: Intent) -> [ShellCommand] {
        switch intent {
        case .toggle: selected.map { [command("toggle", operands: [$0.key])] } ?? []
        case .open, .explain: selected.map { [command("explain", operands: [$0.key])] } ?? []
        case .clear: selected.map { [command("reset", operands: [$0.key])] } ?? []
        case .copy: selected.map { [command("get", operands: [$0.key])] } ?? []
        case .clearCategory: [commandToClearCategory].compactMap { $0 }
        case .clearAll: [command("reset", options: ["--all", "--yes"])]
        case .clearListed: commandsToClearListed
        case .history, .status, .doctor, .paths, .config, .export, .context: [command(intent.rawValue)]
        case .sources: [command("status")]
        case .shellCommands: [ShellCommand("manual")]
        case .undo: [command("undo")]
        case .redo: [command("redo")]
        case .retry: commands(for: store.unsaved)
        case .filter, .nextMatch, .previousMatch, .showOverriddenOnly, .changeOrder, .cancel: [commandToList(intent)]
        case .fetch: [command("fetch")]
        case .activate: [command("activate")]
        case .help, .palette: [ShellCommand("menu", options: ["--help"])]
        default: []
        }
    }

    /// A command on the app, the sources and the store that the menu is open on.
    func command(_ name: String, options: [String] = [], operands: [String] = []) -> ShellCommand {
        ShellCommand(name, options: options, operands: operands, settings: subject.arguments)
    }

    /// The commands that make edits; removals together, as they are one action.
    func commands(for edits: [OverrideEdit]) -> [ShellCommand] {
        var removed: [String] = []
        var commands: [ShellCommand] = []
        for edit in edits {
            switch edit {
            case .set(let key, let value): commands.append(commandToSet(key, to: value))
            case .clear(let key): removed.append(key)
            case .clearAll: commands.append(command("reset", options: ["--all", "--yes"]))
            case .replaceAll(let values):
                commands.append(command("reset", options: ["--all", "--yes"]))
                commands += values.sorted { $0.key < $1.key }.map { commandToSet($0.key, to: $0.value) }
            }
        }
        return (removed.isEmpty ? [] : [command("reset", operands: removed)]) + commands
    }

    /// The command that makes a flag's override what it is now.
    func commandToReproduce(_ flag: FlagFacts) -> ShellCommand {
        flag.override.map { commandToSet(flag.key, to: $0.value) } ?? command("reset", operands: [flag.key])
    }

    /// What the menu allows because it shows what it is doing, a command wants to be told.
    private func commandToSet(_ key: String, to value: String) -> ShellCommand {
        let flag = facts(of: FlagText(key))
        let isKnown = flag.item != nil || flag.base != nil
        let isAllowed = flag.verdict(on: value).objection == nil
        return command(
            "set", options: (isAllowed ? [] : ["--any"]) + (isKnown ? [] : ["--new"]), operands: [key, value])
    }

    private var commandToClearCategory: ShellCommand? {
        guard let category = list.selectedCategory(on: board) else {
            let keys = overriddenInSelectedCategory.map { board.key(at: $0).string }
            return keys.isEmpty ? nil : command("reset", operands: keys)
        }
        let name = board.catalog.categories[category].name.string
        return command("reset", options: name.hasPrefix("-") ? ["--category=\(name)"] : ["--category", name])
    }

    /// Clears what is listed by the words of the filter, where a command finds the same by them.
    private var commandsToClearListed: [ShellCommand] {
        guard isListedByFilter else {
            let places = listedPlaces.filter(board.isOverridden)
            return commands(for: places.map { .clear(key: board.key(at: $0).string) })
        }
        return [command("reset", options: matching(list.filter.text, isOverriddenOnly: false) + ["--yes"])]
    }

    /// The same for setting flags.
    func commandsToSetListed(_ question: BulkQuestion, to value: String) -> [ShellCommand] {
        guard isListedByFilter else {
            return commands(for: question.edits)
        }
        let options = matching(list.filter.text, isOverriddenOnly: list.showsOverriddenOnly) + ["--yes"]
        return [command("set", options: options, operands: [value])]
    }

    /// Whether a command finds the same by the words of the filter. What was just changed may stay listed though they
    /// do not find it any more, and what is pinned only this menu knows.
    private var isListedByFilter: Bool { list.kept.isEmpty && !list.filter.text.lowercased().contains("is:p") }

    private func matching(_ words: String, isOverriddenOnly: Bool) -> [String] {
        let filter = isOverriddenOnly ? (words.isEmpty ? "" : "\(words) ") + "is:overridden" : words
        return filter.hasPrefix("-") ? ["--matching=\(filter)"] : ["--matching", filter]
    }

    /// What is listed, in the words of the filter; after some intents, what would be.
    private func commandToList(_ intent: Intent) -> ShellCommand {
        let showsAll = intent == .cancel
        let isOverriddenOnly = !showsAll && (intent == .showOverriddenOnly) != list.showsOverriddenOnly
        let order = intent == .changeOrder ? list.order.next : list.order
        let words = showsAll ? "" : list.filter.text
        var options = words.isEmpty ? [] : matching(words, isOverriddenOnly: false)
        if isOverriddenOnly { options.append("--overridden") }
        if order != .catalog { options += ["--order", order == .name ? "name" : "changed"] }
        return command("list", options: options)
    }
}
