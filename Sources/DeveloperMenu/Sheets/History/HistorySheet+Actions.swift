import FlagModel
import TerminalUI

extension MenuPart {
    /// The history of overrides.
    public static let history = MenuPart(id: "history", heading: "In the history", opener: "history")
    /// The filter line of the history.
    public static let historyFilter = MenuPart(
        id: "historyFilter", heading: "While filtering the history", opener: "history")
}

extension HistorySheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [
            (.history, actions + ActionTable.programAndHelp),
            (.historyFilter, filterActions + ActionTable.line + ActionTable.programAndHelp),
        ]
    }

    private static let actions: [Action] = [
        Action(
            .accept, [.enter], label: "go to flag", help: "Go to the flag that was changed.",
            disabledReason: \.historyKeyReason
        ) { $0.goToFlagOfHistory() },
        Action(.cancel, [.escape, "q", "H"], label: "back", help: "Close the history.", .isWayOut, rank: .always) {
            $0.closeHistory()
        },
        Action(.filter, ["/"], label: "filter", help: "Filter by words: flags, values, people, dates.") {
            $0.filterHistory()
        },
        Action(.undo, ["u"], label: "undo", help: "Undo the last change, no matter who made it.", .changesValues) {
            $0.moveHistory(.undo)
        },
        Action(
            "undoTo", ["U"], label: "undo to here", help: "Undo every change back to the selected one.",
            .changesValues, disabledReason: \.undoToReason
        ) { $0.undoToSelected() },
        Action(.redo, [.control("r")], label: "redo", help: "Redo the last undo.", .changesValues) {
            $0.moveHistory(.redo)
        },
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next change."),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous change."),
        .moving(.pageDown, [.pageDown, " "], help: "Move one page down."),
        .moving(.pageUp, [.pageUp], help: "Move one page up."),
        .moving(.first, [.home, "g"], help: "Move to the newest change."),
        .moving(.last, [.end, "G"], help: "Move to the oldest change."),
        Action("copyText", ["y"], label: "copy", help: "Copy what is listed.") { $0.copyHistory() },
    ]

    private static let filterActions: [Action] = [
        Action(.accept, [.enter], label: "keep filter", help: "Keep the filter and return to the changes.") {
            $0.leaveHistoryFilter()
        },
        Action(
            .cancel, [.escape], label: "clear filter", help: "Clear the filter of the history.", .isWayOut,
            rank: .always
        ) { $0.clearHistoryFilter() },
        .moving(.down, [.down, .control("n"), .tab], label: "next", help: "Move to the next change."),
        .moving(.up, [.up, .control("p"), .backTab], help: "Move to the previous change."),
    ]

    var part: MenuPart { isFiltering ? .historyFilter : .history }
    var mode: MenuState.Mode { .history(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        guard !items.isEmpty else { return }
        selection = movement.index(after: selection, of: items.count, page: max(1, state.layout.sheetRows - 4))
    }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { changeFilter { $0.edit(edit) } }

    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard isFiltering, let text = key.typedText else { return [] }
        state.changeSheet(HistorySheet.self) {
            $0.changeFilter { $0.insert(text, limit: MenuState.filterLimit) }
        }
        return []
    }

    func write(_ text: String, in state: inout MenuState) {
        state.changeSheet(HistorySheet.self) { $0.changeFilter { $0 = TextField(text) } }
    }

    private mutating func changeFilter(_ change: (inout TextField) -> Void) {
        let oldText = filter.text
        change(&filter)
        guard filter.text != oldText else { return }
        selection = 0
        updateItems()
    }
}

extension MenuState {
    mutating func openHistory() -> [Effect] {
        mode = .history(HistorySheet())
        return refreshHistory()
    }

    /// Requests the entries again after a change, if the history is open.
    mutating func refreshHistory() -> [Effect] {
        guard sheet(HistorySheet.self) != nil else { return [] }
        let id = makeRequestID()
        changeSheet(HistorySheet.self) { $0.request = id }
        return [.readHistory(id: id)]
    }

    /// Shows the response to the newest request of the open history.
    mutating func show(_ content: HistorySheet.Content, _ id: RequestID) {
        changeSheet(HistorySheet.self) { if $0.request == id { $0.replace(content) } }
    }

    /// Whether the history is open and its entries are still being read.
    var isAwaitingHistory: Bool { sheet(HistorySheet.self)?.content == .awaited }

    fileprivate mutating func goToFlagOfHistory() -> [Effect] {
        guard let key = sheet(HistorySheet.self)?.selectedKey else { return [] }
        goToFlag(FlagText(key))
        return []
    }

    /// Clears the filter of the history or, if there is none, closes the history.
    fileprivate mutating func closeHistory() -> [Effect] {
        guard let sheet = sheet(HistorySheet.self), !sheet.filter.text.isEmpty else { return closeSheet() }
        return clearHistoryFilter()
    }

    fileprivate mutating func filterHistory() -> [Effect] {
        changeSheet(HistorySheet.self) { $0.isFiltering = true }
        return []
    }

    fileprivate mutating func leaveHistoryFilter() -> [Effect] {
        changeSheet(HistorySheet.self) { $0.isFiltering = false }
        return []
    }

    fileprivate mutating func clearHistoryFilter() -> [Effect] {
        changeSheet(HistorySheet.self) { ($0.filter, $0.isFiltering) = (TextField(), false) }
        changeSheet(HistorySheet.self) { $0.updateItems() }
        return []
    }

    fileprivate mutating func undoToSelected() -> [Effect] {
        guard let sheet = sheet(HistorySheet.self), let entry = sheet.selectedEntry else { return [] }
        return moveHistory(sheet.undoCount == 1 ? .undo : .undoTo(entry.revision))
    }

    fileprivate mutating func copyHistory() -> [Effect] {
        guard let sheet = sheet(HistorySheet.self) else { return [] }
        return [.copy(id: makeRequestID(), sheet.texts.joined(separator: "\n"), what: "history")]
    }

    /// Why the selected item has no flag to go to; `nil` if it has one.
    fileprivate var historyKeyReason: String? {
        guard let sheet = sheet(HistorySheet.self) else { return nil }
        if sheet.selectedEntry == nil { return "No change to choose." }
        return sheet.selectedKey == nil ? "Several flags changed here. \(keyWord(of: .moveDown)) goes to one." : nil
    }

    /// Why the selected entry cannot be undone; `nil` if it can.
    fileprivate var undoToReason: String? {
        guard let sheet = sheet(HistorySheet.self) else { return nil }
        guard let entry = sheet.selectedEntry else { return "Nothing to undo." }
        if entry.isMove { return "This is an undo or a redo. Choose its original change." }
        return sheet.undoCount == 0 ? "Already undone." : nil
    }
}
