import FlagModel
import FlagQueries

// Shell commands that are equivalent to actions.
extension MenuState {
    /// The commands equivalent to an action of the list in the current state; empty if there are none.
    func commands(for id: Action.ID) -> [ShellCommand] {
        keymap.action(id, in: .list)?.commands(self) ?? []
    }

    /// A command for the selected flag; empty if no flag is selected.
    func commandOnSelected(_ name: String) -> [ShellCommand] {
        selected.map { [command(name, operands: [$0.key])] } ?? []
    }

    /// A command with the options that select the menu's app, sources and store.
    func command(_ name: String, options: [String] = [], operands: [String] = []) -> ShellCommand {
        ShellCommand(name, options: options, operands: operands, settings: target.arguments)
    }

    /// The commands equivalent to edits. The first command is a single `reset` for the keys of all `clear` edits, if
    /// there are any.
    func commands(for edits: [OverrideEdit]) -> [ShellCommand] {
        var clearedKeys: [String] = []
        var commands: [ShellCommand] = []
        for edit in edits {
            switch edit {
            case .set(let key, let value): commands.append(commandToSet(key, to: value))
            case .clear(let key): clearedKeys.append(key)
            case .clearAll: commands.append(command("reset", options: ["--all", "--yes"]))
            // A command changes the only source, so it cannot name one.
            case .changeContext(let change):
                commands += self.commands(for: change.edits, ofSource: change.source)
            case .replaceAll(let values):
                commands.append(command("reset", options: ["--all", "--yes"]))
                commands += values.sortedByKey.map { commandToSet($0.key, to: $0.value) }
            }
        }
        return (clearedKeys.isEmpty ? [] : [command("reset", operands: clearedKeys)]) + commands
    }

    /// The command that reproduces a flag's state: sets its current override, or clears it if there is none.
    func commandToReproduce(_ flag: FlagFacts) -> ShellCommand {
        flag.override.map { commandToSet(flag.key, to: $0.value) } ?? command("reset", operands: [flag.key])
    }

    /// The `set` command, with `--any` for a value that the flag does not allow and `--new` for an unknown key. The
    /// menu needs no options for such values and keys, as it shows their effect.
    private func commandToSet(_ key: String, to value: String) -> ShellCommand {
        let flag = facts(of: FlagText(key))
        let isKnown = flag.item != nil || flag.base != nil
        let isAllowed = flag.check(on: value).invalidReason == nil
        return command(
            "set", options: (isAllowed ? [] : ["--any"]) + (isKnown ? [] : ["--new"]), operands: [key, value])
    }

    /// The command that clears the selected category. For the category of unlisted flags, the command lists the keys.
    var commandsToClearCategory: [ShellCommand] {
        guard let category = list.selectedCategory(on: board) else {
            let keys = overriddenInSelectedCategory.map { board.key(at: $0).string }
            return keys.isEmpty ? [] : [command("reset", operands: keys)]
        }
        let name = board.catalog.categories[category].name.string
        return [command("reset", options: name.hasPrefix("-") ? ["--category=\(name)"] : ["--category", name])]
    }

    /// The commands that clear the flags of a bulk action, with the filter if the filter selects the same flags, else
    /// with keys.
    func commandsToClear(_ targets: BulkTargets) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else {
            return commands(for: targets.keys.filter { board.values.overrides[$0] != nil }.map { .clear(key: $0) })
        }
        return [command("reset", options: matching(list.filter.text, isOverriddenOnly: false) + ["--yes"])]
    }

    /// The commands that set the flags of a bulk action, with the filter if the filter selects the same flags, else
    /// with keys.
    func commandsToSet(_ plan: BulkPlan, _ targets: BulkTargets, to value: String) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else { return commands(for: plan.edits) }
        let options = matching(list.filter.text, isOverriddenOnly: list.showsChangesOnly) + ["--yes"]
        return [command("set", options: options, operands: [value])]
    }

    /// Whether a command with the filter selects the same flags as this list. `false` if the list has sticky rows, as
    /// these rows may no longer match, or if the filter has a condition on pins, as only the menu knows pins.
    private var isListedByFilter: Bool { list.sticky.isEmpty && !list.filter.text.lowercased().contains("is:p") }

    /// The `--matching` option for a filter.
    private func matching(_ words: String, isOverriddenOnly: Bool) -> [String] {
        let filter = isOverriddenOnly ? (words.isEmpty ? "" : "\(words) ") + "is:overridden" : words
        return filter.hasPrefix("-") ? ["--matching=\(filter)"] : ["--matching", filter]
    }

    /// The `list` command with the settings of this list. A parameter that is not `nil` replaces the list's setting.
    func commandToList(isOverriddenOnly: Bool? = nil, order: ListOrder? = nil) -> ShellCommand {
        let words = list.filter.text
        var options = words.isEmpty ? [] : matching(words, isOverriddenOnly: false)
        if isOverriddenOnly ?? list.showsChangesOnly { options.append("--overridden") }
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
