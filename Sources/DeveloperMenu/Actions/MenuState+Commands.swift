import FlagModel

// Shell commands that are equivalent to actions.
extension MenuState {
    /// The commands equivalent to an action of the list in the current state; empty for one that only moves on the
    /// screen.
    func commands(for id: Action.ID) -> [ShellCommand] {
        keymap.action(id, in: .list)?.commands(self) ?? []
    }

    /// A command for the selected flag; empty if none is selected.
    func commandOnSelected(_ name: String) -> [ShellCommand] {
        selected.map { [command(name, operands: [$0.key])] } ?? []
    }

    /// A command for the app, the sources and the store of the menu.
    func command(_ name: String, options: [String] = [], operands: [String] = []) -> ShellCommand {
        ShellCommand(name, options: options, operands: operands, settings: subject.arguments)
    }

    /// The commands for edits; removals are merged, as they are one action.
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

    /// The command that sets a flag's override to its current value.
    func commandToReproduce(_ flag: FlagFacts) -> ShellCommand {
        flag.override.map { commandToSet(flag.key, to: $0.value) } ?? command("reset", operands: [flag.key])
    }

    /// What the menu allows because it shows the effect needs an option in a command.
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

    /// The command that clears the flags of a bulk action: by the filter, if a command matches the same flags.
    var commandsToClearListed: [ShellCommand] { commandsToClear(bulkTargets) }

    func commandsToClear(_ targets: BulkTargets) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else {
            return commands(for: targets.keys.filter { board.values.overrides[$0] != nil }.map { .clear(key: $0) })
        }
        return [command("reset", options: matching(list.filter.text, isOverriddenOnly: false) + ["--yes"])]
    }

    /// The commands for setting flags.
    func commandsToSet(_ question: BulkQuestion, _ targets: BulkTargets, to value: String) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else { return commands(for: question.edits) }
        let options = matching(list.filter.text, isOverriddenOnly: list.showsOverriddenOnly) + ["--yes"]
        return [command("set", options: options, operands: [value])]
    }

    /// Whether a command matches the same flags by the filter. Sticky rows may no longer match, and pins are known only
    /// to this menu.
    private var isListedByFilter: Bool { list.kept.isEmpty && !list.filter.text.lowercased().contains("is:p") }

    private func matching(_ words: String, isOverriddenOnly: Bool) -> [String] {
        let filter = isOverriddenOnly ? (words.isEmpty ? "" : "\(words) ") + "is:overridden" : words
        return filter.hasPrefix("-") ? ["--matching=\(filter)"] : ["--matching", filter]
    }

    /// The command for what is listed, with the filter.
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
