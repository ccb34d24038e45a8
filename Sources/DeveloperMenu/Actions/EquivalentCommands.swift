import FlagModel
import FlagQueries

/// The shell commands that are equivalent to what the menu does now.
struct EquivalentCommands {
    let state: MenuState
    private var list: FlagList { state.list }

    /// A command with the options that select the menu's app, sources and store.
    func command(_ name: String, options: [String] = [], operands: [String] = []) -> ShellCommand {
        ShellCommand(name, options: options, operands: operands, settings: state.target.arguments)
    }

    /// A command for the selected flag; empty if no flag is selected.
    func onSelected(_ name: String) -> [ShellCommand] {
        list.selected.map { [command(name, operands: [$0.key])] } ?? []
    }

    /// The commands for edits. The first command is a single `reset` for the keys of all `clear` edits, if there are
    /// any.
    func edits(_ edits: [OverrideEdit]) -> [ShellCommand] {
        var clearedKeys: [String] = []
        var commands: [ShellCommand] = []
        for edit in edits {
            switch edit {
            // A new value, the new note and the new end are one command.
            case .set(let key, let value): commands.append(set(key, to: value, options: edits.options(for: key)))
            case .note(let key, let text) where !edits.setsValue(of: key) && !edits.setsEnd(of: key):
                commands.append(command("note", operands: [key, text]))
            case .end(let key, _) where !edits.setsValue(of: key):
                let value = list.board.values.overrides[key]?.value ?? ""
                commands.append(set(key, to: value, options: edits.options(for: key)))
            case .note, .end: break
            case .applyScenario(let scenario):
                let isReplacing = edits.contains { if case .replaceAll = $0 { true } else { false } }
                let option = isReplacing ? "--replace" : "--add"
                commands = [command("scenario apply", options: [option], operands: [scenario.name])]
            case .clear(let key): clearedKeys.append(key)
            case .clearAll: commands.append(resetAll)
            // A command changes the only source, so it cannot name one.
            case .changeContext(let change): commands += contextEdits(change.edits, ofSource: change.source)
            case .replaceAll(let values):
                commands.append(resetAll)
                commands += values.sortedByKey.map { set($0.key, to: $0.value) }
            }
        }
        return (clearedKeys.isEmpty ? [] : [command("reset", operands: clearedKeys)]) + commands
    }

    /// The command that resets everything.
    var resetAll: ShellCommand { command("reset", options: ["--all", "--yes"]) }

    /// The command that reproduces a flag's state: sets its current override, or clears it if there is none.
    func reproducing(_ flag: FlagFacts) -> ShellCommand {
        flag.override.map { set(flag.key, to: $0.value) } ?? command("reset", operands: [flag.key])
    }

    /// The `set` command, with `--any` for a value that the flag does not allow and `--new` for an unknown key. The
    /// menu needs no options for such values and keys, as it shows their effect.
    private func set(_ key: String, to value: String, options: [String] = []) -> ShellCommand {
        let flag = list.board.facts(of: FlagText(key))
        let isKnown = flag.item != nil || flag.base != nil
        let isAllowed = flag.check(on: value).invalidReason == nil
        return command(
            "set", options: (isAllowed ? [] : ["--any"]) + (isKnown ? [] : ["--new"]) + options, operands: [key, value])
    }

    /// The command that sets a flag for the team.
    func setForTeam(_ key: String, to value: String) -> ShellCommand {
        command("set", options: ["--layer", "team"], operands: [key, value])
    }

    /// The commands that set the marked or selected overrides for the team.
    var moveToTeam: [ShellCommand] {
        list.targets.compactMap { flag in flag.override.map { setForTeam(flag.key, to: $0.value) } }
    }

    /// The command that clears the selected category. For the category of unlisted flags, the command lists the keys.
    var resetCategory: [ShellCommand] {
        guard let category = list.selectedCategory else {
            let keys = list.overriddenInSelectedCategory.map { list.board.key(at: $0).string }
            return keys.isEmpty ? [] : [command("reset", operands: keys)]
        }
        let name = list.board.catalog.categories[category].name.string
        let options = name.hasPrefix("-") ? ["--category=\(name)"] : ["--category", name]
        return [command("reset", options: options + ["--yes"])]
    }

    /// The commands for the plan of a bulk action: with the filter if it selects the same flags, else with keys.
    ///
    /// - Parameter value: the value that the flags are set to; `nil` if they are reset.
    func bulk(_ plan: BulkPlan, _ targets: BulkTargets, settingTo value: String? = nil) -> [ShellCommand] {
        guard isListedByFilter, !targets.areMarked else { return edits(plan.edits) }
        let options = matching(isOverriddenOnly: value != nil && list.showsChangesOnly) + ["--yes"]
        return [command(value == nil ? "reset" : "set", options: options, operands: [value].compactMap { $0 })]
    }

    /// Whether a command with the filter selects the same flags as this list. `false` if the list has sticky rows, as
    /// these rows may no longer match, or if the filter has a condition on pins, as only the menu knows pins.
    private var isListedByFilter: Bool { list.sticky.isEmpty && !list.filter.text.lowercased().contains("is:p") }

    /// The `--matching` option for the filter.
    private func matching(isOverriddenOnly: Bool) -> [String] {
        let words = list.filter.text
        let filter = isOverriddenOnly ? (words.isEmpty ? "" : "\(words) ") + "is:overridden" : words
        return filter.hasPrefix("-") ? ["--matching=\(filter)"] : ["--matching", filter]
    }

    /// The `list` command with the settings of this list. A parameter that is not `nil` replaces the list's setting;
    /// `isOverriddenOnly` drops the filter, too.
    func listing(isOverriddenOnly: Bool? = nil, order: ListOrder? = nil) -> ShellCommand {
        let isFiltered = isOverriddenOnly == nil && !list.filter.text.isEmpty
        var options = isFiltered ? matching(isOverriddenOnly: false) : []
        if isOverriddenOnly ?? list.showsChangesOnly { options.append("--overridden") }
        return command("list", options: options + (order ?? list.order).options)
    }

    /// The commands for edits of a context; empty if there are several sources, or if no command can make an edit.
    func contextEdits(_ edits: [ContextEdit], ofSource name: String) -> [ShellCommand] {
        let evaluations = state.remote.evaluations
        guard evaluations.count == 1, let source = evaluations.first, source.source == name else { return [] }
        var (options, operands): ([String], [String]) = ([], [])
        for edit in edits {
            switch edit {
            case .set(let name, let value?): operands.append("\(name)=\(ContextText.shown(value, for: name))")
            case .set(let name, nil): options += ["--unset", name]
            case .restore(.attribute, let name):
                // `--unset` would leave out the project file's member instead of restoring it.
                guard source.context?.first(where: { $0.name == name })?.base == nil else { return [] }
                options += ["--unset", name]
            case .decide(let name, let applies?): options += ["--condition", "\(name)=\(applies ? "on" : "off")"]
            case .decide(let name, nil), .restore(.condition, let name): options += ["--condition", "\(name)=auto"]
            case .reset: options.append("--reset")
            }
        }
        return [command("context", options: options, operands: operands)]
    }
}

extension [OverrideEdit] {
    /// Whether an edit sets the value of a flag.
    fileprivate func setsValue(of key: String) -> Bool { flatMap(\.keysSet).contains(key) }

    /// Whether an edit says when the override of a flag ends.
    fileprivate func setsEnd(of key: String) -> Bool { contains { if case .end(key, _) = $0 { true } else { false } } }

    /// The options of `set` for the note and the end of a flag.
    fileprivate func options(for key: String) -> [String] {
        flatMap { edit -> [String] in
            switch edit {
            case .note(key, let text): ["--note", text]
            case .end(key, .lasting(let duration)): ["--for", OverrideLife.text(of: duration)]
            case .end(key, .until(let time)): ["--until", time.rfc3339]
            case .end(key, .untilRestart): ["--until-restart"]
            default: []
            }
        }
    }
}

extension ListOrder {
    /// The options of `list` for the order.
    var options: [String] {
        switch self {
        case .catalog: []
        case .changedFirst: ["--order", "changed"]
        case .name, .prefix: ["--order", rawValue]
        }
    }
}

extension MenuState {
    var commands: EquivalentCommands { EquivalentCommands(state: self) }

    /// The commands equivalent to an action of the list in the current state; empty if there are none.
    func commands(for id: Action.ID) -> [ShellCommand] { keymap.action(id, in: .list)?.commands(self) ?? [] }
}
