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
    /// The actions to search, by their indices in the keymap.
    private let listed: [Int]
    private let keymap: Keymap

    /// Help, or the palette without actions that only move the selection.
    init(isHelp: Bool, in state: MenuState) {
        (self.isHelp, behind, keymap) = (isHelp, state.mode, state.keymap)
        listed = state.keymap.all.indices.filter { state.keymap.all[$0].isListed(inHelp: isHelp, state) }
        applyFilter()
    }

    /// Finds the actions that match the typed text.
    mutating func applyFilter() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        var matches = listed.compactMap { index in keymap.all[index].match(words).map { (index: index, match: $0) } }
        func isDaily(_ index: Int) -> Bool { keymap.all[index].traits.contains(.isDaily) }
        // Help starts with the daily actions, as users read help from the start.
        let startsWithDaily = isHelp && words.isEmpty
        // Swift's sort is stable, so equal matches keep the order of the table.
        matches.sort {
            startsWithDaily ? isDaily($0.index) && !isDaily($1.index) : $0.match.score > $1.match.score
        }
        entries = matches.map { Entry(index: $0.index, marks: $0.match.marks) }
        selection = max(0, min(selection, entries.count - 1))
    }

    /// The selected action; `nil` if no action matches.
    func selected(in keymap: Keymap) -> Action? {
        entries.indices.contains(selection) ? keymap.all[entries[selection].index] : nil
    }
}

extension Action {
    /// Named actions that the palette leaves out: every screen names their keys, or every program in a terminal has them.
    private static let knownByKey: [ID] = [.palette, .help, .cancel] + ActionTable.program.map(\.id)

    /// Whether help or the palette lists the action: not if this menu can never do it.
    fileprivate func isListed(inHelp: Bool, _ state: MenuState) -> Bool {
        guard isPossible(in: state), id != .openOther || state.opensOthers else { return false }
        if inHelp { return part == state.part }
        return part == .list && !traits.contains(.movesSelection) && !Self.knownByKey.contains(id)
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
        let palette = choosing(leaving: [.escape], "Close the palette and do nothing.")
        return [(part, actions + ActionTable.program), (.palette, palette + ActionTable.programAndHelpWhileTyping)]
    }

    static let part = MenuPart.help
    static let actions = choosing(leaving: [.escape, .function(1)], "Close help.")

    private static func choosing(leaving keys: [KeyPress], _ help: String) -> [Action] {
        [
            action(.accept, [.enter], label: "run", help: "Run the selected action.") { $0.run(in: &$1) },
            closing(keys, help: help) { $1.closeSheet(backTo: $0.behind) },
        ] + movements("entry", takesText: true) + [copyCommand] + ActionTable.line
    }

    private static let copyCommand = action(
        "copyCommand", [.control("y")], label: "copy command", help: "Copy the command that does the same in a shell.",
        disabledReason: { sheet, state in
            guard sheet.selected(in: state.keymap) != nil else { return "No entry is selected." }
            if sheet.commands(in: state).isEmpty { return "This action has no command." }
            return sheet.commandText(in: state) == nil ? CopySheet.nulReason : nil
        }
    ) { sheet, state in
        sheet.commandText(in: state).map { [.copy(id: state.makeRequestID(), $0, what: "command")] } ?? []
    }

    var part: MenuPart { isHelp ? .help : .palette }
    func choices(in state: MenuState) -> [Entry] { entries }

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
        state.closeSheet(backTo: behind)
        return entry.part == state.part ? state.perform(entry) : []
    }

    /// The menu as it will be when this sheet is closed, which decides what is disabled.
    private func menuBehind(_ state: MenuState) -> MenuState {
        var state = state
        state.mode = behind
        return state
    }

    /// The commands equivalent to the selected entry; empty if there are none.
    private func commands(in state: MenuState) -> [ShellCommand] {
        guard let entry = selected(in: state.keymap), entry.part == .list else { return [] }
        return entry.commands(state)
    }

    /// The text of the commands; `nil` if there are none, or if they cannot be written.
    private func commandText(in state: MenuState) -> String? { ShellCommand.text(commands(in: state)) }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            numbering: entries.map { LineModeCommands.entry(state.keymap.all[$0.index]) },
            prompt: isHelp ? "Help: " : "Command: ")
    }
}

// The view: the filter line, the matching actions, and a note on the selected one.
extension ActionSheet {
    func view(in state: MenuState) -> SheetList {
        let columns = min(84, state.size.columns - 4)
        let cancel = state.keyWord(of: .cancel, in: part)
        // The palette's title names the selected flag, as actions apply to this flag.
        let flag = state.selected.map { " \(state.charset.separator) \($0.name)" } ?? ""
        return SheetList(
            state, title: isHelp ? "Help" : "Actions\(flag)", columns: columns,
            field: .init(sign: isHelp ? "/" : ":", text: filter, count: "\(entries.count) of \(listed.count)"),
            rows: rows(columns: columns, in: state),
            below: state.size.rows < Layout.roomy.rows ? [note(in: state)] : [StyledLine(), note(in: state)],
            selection: selection, empty: "No entry matches. \(cancel) closes this sheet.")
    }

    /// The last line: why the selected entry is disabled, or its equivalent command.
    private func note(in state: MenuState) -> StyledLine {
        guard let entry = selected(in: state.keymap) else { return StyledLine() }
        if let reason = entry.disabledReason(menuBehind(state)) { return StyledLine(reason) }
        guard let text = commandText(in: state) else { return StyledLine() }
        return StyledLine("$ ", state.theme.key).adding(text, state.theme.faint)
    }

    /// The rows: what an action does, then its keys. Help without a filter has headings.
    private func rows(columns: Int, in state: MenuState) -> [SheetList.Row] {
        let behind = menuBehind(state)
        let actions = entries.map { state.keymap.all[$0.index] }
        func heading(_ index: Int) -> String? {
            guard isHelp, filter.text.isEmpty else { return nil }
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
        // The name is read first, so the explanation after it is dim.
        let (name, marks) = (action.help.prefix { $0 != ":" }, Set(entry.marks))
        let (start, match) = (name.utf8.count, state.theme.match)
        let explanation = String(action.help.dropFirst(name.count))
        let line =
            StyledLine(String(name), marking: marks.filter { $0 < start }, style: style, match: match)
            + StyledLine(
                explanation, marking: Set(marks.filter { $0 >= start }.map { $0 - start }), style: state.theme.faint,
                match: match)
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
