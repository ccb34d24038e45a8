import FlagModel

// The commands that do in a shell what actions do here.
extension MenuState {
    /// The commands that do what an action of the list would do now; none for what only moves about the screen.
    func commands(for id: Action.ID) -> [ShellCommand] {
        keymap.action(id, in: .list)?.commands(self) ?? []
    }

    /// A command on the selected flag; none if none is selected.
    func commandOnSelected(_ name: String) -> [ShellCommand] {
        selected.map { [command(name, operands: [$0.key])] } ?? []
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

    var commandsToClearCategory: [ShellCommand] {
        guard let category = list.selectedCategory(on: board) else {
            let keys = overriddenInSelectedCategory.map { board.key(at: $0).string }
            return keys.isEmpty ? [] : [command("reset", operands: keys)]
        }
        let name = board.catalog.categories[category].name.string
        return [command("reset", options: name.hasPrefix("-") ? ["--category=\(name)"] : ["--category", name])]
    }

    /// The command that clears what an action on several flags is about: by the words of the filter, if a command finds the same
    /// by them.
    var commandsToClearListed: [ShellCommand] { commandsToClear(bulkTargets) }

    func commandsToClear(_ targets: BulkTargets) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else {
            return commands(for: targets.keys.filter { board.values.overrides[$0] != nil }.map { .clear(key: $0) })
        }
        return [command("reset", options: matching(list.filter.text, isOverriddenOnly: false) + ["--yes"])]
    }

    /// The same for setting flags.
    func commandsToSet(_ question: BulkQuestion, _ targets: BulkTargets, to value: String) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else { return commands(for: question.edits) }
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

    /// What is listed, in the words of the filter.
    func commandToList(isOverriddenOnly: Bool? = nil, order: ListOrder? = nil) -> ShellCommand {
        let words = list.filter.text
        var options = words.isEmpty ? [] : matching(words, isOverriddenOnly: false)
        if isOverriddenOnly ?? list.showsOverriddenOnly { options.append("--overridden") }
        return command("list", options: options + orderOptions(order ?? list.order))
    }

    func orderOptions(_ order: ListOrder) -> [String] {
        switch order {
        case .catalog: []
        case .changedFirst: ["--order", "changed"]
        case .name, .prefix: ["--order", order.rawValue]
        }
    }
}
