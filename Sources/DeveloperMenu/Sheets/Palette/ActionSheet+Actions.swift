import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The help sheet.
    public static let help = MenuPart(id: "help", heading: "In this help", opener: .help)
    /// The command palette.
    public static let palette = MenuPart(id: "palette", heading: "In the command palette", opener: .palette)
}

// Help and the palette, both lists of actions to choose from.
extension ActionSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [
            (.help, helpActions + choosing + ActionTable.line + ActionTable.program),
            (.palette, paletteActions + choosing + ActionTable.line + ActionTable.programAndHelp),
        ]
    }

    private static let helpActions: [Action] = [
        Action(.accept, [.enter], label: "run", help: "Run the action, or open the place where it works.") {
            $0.runSelectedAction()
        },
        Action(.cancel, [.escape, .function(1)], label: "back", help: "Close help.", .isWayOut, rank: .always) {
            $0.closeActions()
        },
    ]

    private static let paletteActions: [Action] = [
        Action(.accept, [.enter], label: "run", help: "Run the selected action.") { $0.runSelectedAction() },
        Action(
            .cancel, [.escape], label: "back", help: "Close the palette and do nothing.", .isWayOut, rank: .always
        ) { $0.closeActions() },
    ]

    /// Actions to choose from a list that is filtered while typing.
    private static let choosing: [Action] = [
        .moving(.down, [.down, .control("n"), .tab], label: "next", help: "Move to the next entry."),
        .moving(.up, [.up, .control("p"), .backTab], label: "previous", help: "Move to the previous entry."),
        .moving(.pageDown, [.pageDown], help: "Move one page down."),
        .moving(.pageUp, [.pageUp], help: "Move one page up."),
        Action(
            "copyCommand", [.control("y")], label: "copy command",
            help: "Copy the command that does the same in a shell.", disabledReason: \.commandReason
        ) { $0.copyCommandsOfSelectedAction() },
    ]

    var part: MenuPart { kind == .help ? .help : .palette }
    var mode: MenuState.Mode { .actions(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        guard !entries.isEmpty else { return }
        let page = max(1, state.layout.listHeight - 4)
        selection = movement.index(after: selection, of: entries.count, page: page)
    }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { changeFilter { $0.edit(edit) } }

    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard let text = key.typedText else { return [] }
        var isWhole = true
        state.changeSheet(ActionSheet.self) {
            $0.changeFilter { isWhole = $0.insert(text, limit: MenuState.filterLimit) }
        }
        if !isWhole { state.showFilterIsFull() }
        return []
    }

    func write(_ text: String, in state: inout MenuState) {
        state.changeSheet(ActionSheet.self) { $0.changeFilter { $0 = TextField() } }
        _ = type(.paste(text), in: &state)
    }

    private mutating func changeFilter(_ change: (inout TextField) -> Void) {
        let oldText = filter.text
        change(&filter)
        guard filter.text != oldText else { return }
        selection = 0
        updateEntries()
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            numbering: entries.map { LineModeCommands.entry(state.keymap.all[$0.index]) },
            prompt: kind == .help ? "Help: " : "Command: ")
    }
}

extension MenuState {
    mutating func openHelp() -> [Effect] {
        mode = .actions(ActionSheet(.help, over: mode, keymap: keymap))
        return []
    }

    mutating func openPalette() -> [Effect] {
        mode = .actions(ActionSheet(.palette, over: mode, keymap: keymap))
        return []
    }

    fileprivate mutating func closeActions() -> [Effect] {
        guard let sheet = sheet(ActionSheet.self) else { return [] }
        mode = sheet.behind
        // The flag of an option list behind this sheet may have lost its options meanwhile.
        closeEmptyOptionList()
        return []
    }

    /// Runs the selected entry as if its key had been pressed in the part behind this sheet. An entry of another part
    /// opens that part instead.
    fileprivate mutating func runSelectedAction() -> [Effect] {
        guard let entry = sheet(ActionSheet.self)?.selected(in: keymap) else { return [] }
        _ = closeActions()
        if entry.part == mode.part { return run(entry) }
        guard mode == .list || mode == .filter else {
            show("\(keyNames(of: entry)) works \(entry.part.inSentence). First close this sheet.", .rejection)
            return []
        }
        mode = .list
        guard let opener = entry.part.opener else { return run(entry) }
        guard let action = keymap.action(opener, in: .list) else { return [] }
        let effects = run(action)
        if mode.part == entry.part {
            show("\(keyNames(of: entry)) here: \(entry.help)")
        } else if message == nil {
            show("\(keyNames(of: entry)) works \(entry.part.inSentence).", .rejection)
        }
        return effects
    }

    private func keyNames(of entry: Action) -> String {
        entry.keyNames(charset: charset, palette: keyName(of: .palette))
    }

    /// Why an entry is disabled in the part behind the sheet; `nil` if the entry is enabled, or if it belongs neither
    /// to this part nor to the list.
    func disabledReason(of entry: Action, in sheet: ActionSheet) -> String? {
        var state = self
        state.mode = sheet.behind
        return entry.part == sheet.behind.part || entry.part == .list ? entry.disabledReason(state) : nil
    }

    /// The commands equivalent to the selected entry; `nil` if there are none.
    var commandsOfSelectedAction: [ShellCommand]? {
        guard let entry = sheet(ActionSheet.self)?.selected(in: keymap), entry.part == .list else { return nil }
        let commands = entry.commands(self)
        return commands.isEmpty ? nil : commands
    }

    fileprivate mutating func copyCommandsOfSelectedAction() -> [Effect] {
        let text = commandsOfSelectedAction.flatMap { ShellCommand.text($0) }
        return text.map { [.copy(id: makeRequestID(), $0, what: "command")] } ?? []
    }

    /// Why there is no command to copy for the selected entry; `nil` if there is one.
    fileprivate var commandReason: String? {
        guard sheet(ActionSheet.self)?.selected(in: keymap) != nil else { return "No entry is selected." }
        guard let commands = commandsOfSelectedAction else {
            return "This action has no command."
        }
        return ShellCommand.text(commands) == nil ? Self.nulReason : nil
    }

    /// Why a command with the character NUL cannot be copied.
    static let nulReason = "The command contains the character NUL, which shells cannot pass."
}
