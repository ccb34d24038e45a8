import FlagModel
import FlagQueries
import TerminalUI

/// A list of actions to choose from, filtered while typing; Enter runs the selected one.
///
/// Help shows every action of the part behind it, the palette the named actions of the list.
struct ActionSheet: Equatable {
    /// One action that matches the typed text.
    struct Entry: Equatable {
        /// The action's index in the keymap.
        let index: Int
        /// The byte offsets of matches in the action's help, to highlight.
        let marks: [Int]
    }

    /// Whether the sheet is help, else it is the palette.
    let isHelp: Bool
    /// The mode in which the sheet was opened, restored when the sheet closes.
    private(set) var behind: MenuMode
    /// The typed text.
    var filter = TextField()
    /// The index of the selected entry in ``entries``.
    var selection = 0
    /// The matching actions, the best match first. Updated when the text changes, not whenever the sheet is drawn.
    private(set) var entries: [Entry] = []
    /// The texts to search, one for each action.
    let texts: [ActionText]

    /// Help, or the palette without actions that only move the selection.
    init(isHelp: Bool, in state: MenuState) {
        (self.isHelp, behind) = (isHelp, state.mode)
        let all = state.keymap.all
        texts = all.indices.filter { all[$0].isListed(inHelp: isHelp, state) }.map { ActionText(all[$0], index: $0) }
        applyFilter()
    }

    /// Finds the actions that match the typed text.
    mutating func applyFilter() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        var matches = texts.compactMap { text in text.match(words).map { (text: text, match: $0) } }
        if !words.isEmpty {
            // Swift's sort is stable, so equal matches keep the order of the table.
            matches.sort { $1.match.score < $0.match.score }
        } else if isHelp {
            // Help starts with the daily actions, as users read help from the start.
            matches = matches.filter(\.text.isDaily) + matches.filter { !$0.text.isDaily }
        }
        entries = matches.map { Entry(index: $0.text.index, marks: $0.match.marks) }
        selection = max(0, min(selection, entries.count - 1))
    }

    /// The selected action; `nil` if no action matches.
    func selected(in keymap: Keymap) -> Action? {
        entries.indices.contains(selection) ? keymap.all[entries[selection].index] : nil
    }
}

extension Action {
    /// Whether help or the palette lists the action: not if this menu can never do it.
    fileprivate func isListed(inHelp: Bool, _ state: MenuState) -> Bool {
        guard isPossible(in: state), id != .openOther || state.opensOthers else { return false }
        if inHelp { return part == state.part }
        return part == .list && !traits.contains(.movesSelection) && id != .palette
    }
}

extension MenuPart {
    /// The help sheet.
    public static let help = MenuPart(id: "help", heading: "In this help")
    /// The command palette.
    public static let palette = MenuPart(id: "palette", heading: "In the command palette")
}

extension ActionSheet: FilteredSheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [
            (.help, actions(leaving: [.escape, .function(1)], "Close help.") + ActionTable.program),
            (
                .palette,
                actions(leaving: [.escape], "Close the palette and do nothing.") + ActionTable.programAndHelpWhileTyping
            ),
        ]
    }

    private static func actions(leaving keys: [KeyPress], _ help: String) -> [Action] {
        [
            action(.accept, [.enter], label: "run", help: "Run the selected action.") { $0.run(in: &$1) },
            action(.cancel, keys, label: "back", help: help, .isWayOut, rank: .always) {
                $1.close(backTo: $0.behind)
            },
        ] + choosing + ActionTable.line
    }

    /// Actions to choose from a list that is filtered while typing.
    private static let choosing: [Action] =
        movements("entry", takesText: true) + [
            action(
                "copyCommand", [.control("y")], label: "copy command",
                help: "Copy the command that does the same in a shell.",
                disabledReason: { sheet, state in
                    guard sheet.selected(in: state.keymap) != nil else { return "No entry is selected." }
                    guard let commands = sheet.commands(in: state) else { return "This action has no command." }
                    return ShellCommand.text(commands) == nil ? ShellCommand.nulReason : nil
                }
            ) { sheet, state in
                let text = sheet.commands(in: state).flatMap { ShellCommand.text($0) }
                return text.map { [.copy(id: state.makeRequestID(), $0, what: "command")] } ?? []
            }
        ]

    var part: MenuPart { isHelp ? .help : .palette }
    func entryCount(in state: MenuState) -> Int { entries.count }

    /// Lets the sheet behind this one handle the responses to its requests.
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .sheet(var sheet) = behind else { return nil }
        let effects = sheet.receive(event, in: &state)
        behind = .sheet(sheet)
        return effects
    }

    /// Runs the selected entry as if its key had been pressed in the part behind this sheet.
    private func run(in state: inout MenuState) -> [Effect] {
        guard let entry = selected(in: state.keymap) else { return [] }
        state.close(backTo: behind)
        return entry.part == state.part ? state.perform(entry) : []
    }

    /// The menu as it will be when this sheet is closed, which decides what is disabled.
    private func menuBehind(_ state: MenuState) -> MenuState {
        var state = state
        state.mode = behind
        return state
    }

    /// The commands equivalent to the selected entry; `nil` if there are none.
    private func commands(in state: MenuState) -> [ShellCommand]? {
        guard let entry = selected(in: state.keymap), entry.part == .list else { return nil }
        let commands = entry.commands(state)
        return commands.isEmpty ? nil : commands
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            numbering: entries.map { LineModeCommands.entry(state.keymap.all[$0.index]) },
            prompt: isHelp ? "Help: " : "Command: ")
    }
}

extension MenuState {
    mutating func openHelp() -> [Effect] { open(ActionSheet(isHelp: true, in: self)) }

    mutating func openPalette() -> [Effect] { open(ActionSheet(isHelp: false, in: self)) }
}

// The view: the filter line, the matching actions, and a note on the selected one.
extension ActionSheet {
    func view(in state: MenuState) -> SheetList {
        let columns = min(84, state.size.columns - 4)
        let cancel = state.keyWord(of: .cancel, in: part)
        return SheetList(
            state, title: title(in: state), columns: columns,
            field: .init(sign: isHelp ? "/" : ":", text: filter, count: "\(entries.count) of \(texts.count)"),
            rows: rows(columns: columns, in: state),
            below: state.size.rows < Layout.roomy.rows ? [note(in: state)] : [StyledLine(), note(in: state)],
            selection: selection, empty: "No entry matches. \(cancel) closes this sheet.")
    }

    /// The title of the sheet. The palette's title names the selected flag, as actions apply to this flag.
    private func title(in state: MenuState) -> String {
        guard !isHelp else { return "Help" }
        return state.selected.map { "Actions \(state.charset.separator) \($0.name)" } ?? "Actions"
    }

    /// The last line: why the selected entry is disabled, or its equivalent command.
    private func note(in state: MenuState) -> StyledLine {
        guard let entry = selected(in: state.keymap) else { return StyledLine() }
        if let reason = entry.disabledReason(menuBehind(state)) { return StyledLine(reason) }
        if let text = commands(in: state).flatMap({ ShellCommand.text($0) }) {
            return StyledLine("$ ", state.theme.key).adding(text, state.theme.faint)
        }
        return StyledLine()
    }

    /// The rows: what an action does, then its keys. Help without a filter has headings.
    private func rows(columns: Int, in state: MenuState) -> [SheetList.Row] {
        let isGrouped = isHelp && filter.text.isEmpty
        let behind = menuBehind(state)
        let actions = entries.map { state.keymap.all[$0.index] }
        func heading(_ index: Int) -> String? {
            guard isGrouped else { return nil }
            return actions[index].traits.contains(.isDaily) ? "Most used" : actions[index].part.heading
        }
        return SheetList.rows(entries.count, state, heading: heading) {
            line(entries[$0], actions[$0], behind, columns: columns, in: state)
        }
    }

    /// The width of the column of sentences: that of the longest help sentence.
    private static let helpColumns = 56

    private func line(
        _ entry: Entry, _ action: Action, _ behind: MenuState, columns: Int, in state: MenuState
    ) -> StyledLine {
        let isDisabled = action.disabledReason(behind) != nil
        let style = isDisabled ? state.theme.faint : state.theme.plain
        let line = StyledLine(action.help, marking: Set(entry.marks), style: style, match: state.theme.match)
        // A narrow screen shows only the first key.
        let palette = state.keyName(of: .palette)
        let isWide = columns >= 76
        let keys =
            isWide
            ? action.keyNames(charset: state.charset, palette: palette)
            : action.keys.first?.displayName(charset: state.charset) ?? palette
        let room = max(10, min(Self.helpColumns, columns - 2 - (isWide ? 20 : 8)))
        let help =
            DisplayText.fits(action.help, columns: room, charset: state.charset)
            ? line.adding(String(repeating: " ", count: room - action.help.count))
            : StyledLine(DisplayText.clipped(action.help, to: room, charset: state.charset), style)
        return help.adding("  ").adding(keys, isDisabled ? state.theme.faint : state.theme.key)
            .adding(isDisabled ? "  not now" : "", state.theme.faint)
    }
}
