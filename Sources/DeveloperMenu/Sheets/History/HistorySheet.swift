import FlagModel
import FlagQueries
import TerminalUI

/// The sheet of the history of overrides, with the newest entry first. Here users find a flag, or undo changes.
struct HistorySheet: Equatable {
    /// A row that can be selected: an entry or, if an entry has several changes, one of the changes.
    struct Item: Equatable {
        let entry: HistoryEntry
        /// Whether the item is the whole entry.
        var isWhole = false
        /// The key of the changed flag; `nil` if there are several, or if a condition or an attribute changed.
        let key: String?
        /// The text of the entry or of the change.
        let text: String
    }

    /// All entries, even if the filter hides them.
    private(set) var entries: [HistoryEntry] = []
    /// Why the history cannot be read, as a sentence.
    private var error: String?
    private(set) var isWaiting = true
    /// The newest request for the history; responses to older ones are ignored.
    var request: RequestID?
    /// The filter line: entries are listed if they contain all its words.
    var filter = TextField()
    /// Whether the filter line is open for typing.
    private var isFiltering = false
    private(set) var items: [Item] = []
    /// The index of the selected item.
    var selection = 0

    init(request: RequestID) { self.request = request }

    /// The entry of the selected item; `nil` if there are no items.
    var selectedEntry: HistoryEntry? { selectedItem?.entry }

    private var selectedItem: Item? { items.indices.contains(selection) ? items[selection] : nil }

    /// The number of entries that are undone if the selected entry and all newer ones are undone; 0 if the selected
    /// entry cannot be undone.
    var undoCount: Int {
        guard let selectedEntry, selectedEntry.isUndoable else { return 0 }
        return entries.count { $0.isUndoable && $0.revision >= selectedEntry.revision }
    }

    /// Shows a newly read history. The selected entry stays selected.
    private mutating func replace(_ new: [HistoryEntry], error: String?) {
        let selected = selectedEntry?.revision
        (entries, self.error, isWaiting) = (new, error, false)
        applyFilter()
        selection = items.firstIndex { $0.entry.revision == selected } ?? selection
    }

    /// Lists the entries that contain every word of the filter.
    mutating func applyFilter() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace)
        items = entries.flatMap { entry -> [Item] in
            let text = words.isEmpty ? "" : entry.searchText
            guard words.allSatisfy(text.contains) else { return [] }
            let changes =
                entry.changes.map { Item(entry: entry, key: $0.key, text: $0.sentence) }
                + entry.contextChanges.map { Item(entry: entry, key: nil, text: $0.sentence) }
            let only = changes.count == 1 ? changes[0] : nil
            let whole = Item(entry: entry, isWhole: true, key: only?.key, text: entry.text(only?.text))
            return only == nil ? [whole] + changes : [whole]
        }
        selection = max(0, min(selection, items.count - 1))
    }
}

extension MenuPart {
    /// The history of overrides.
    public static let history = MenuPart(id: "history", heading: "In the history")
    /// The filter line of the history.
    public static let historyFilter = MenuPart(id: "historyFilter", heading: "While filtering the history")
}

extension HistorySheet: FilteredSheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        let typing = filterActions + ActionTable.line + ActionTable.programAndHelpWhileTyping
        return [(part, actions + ActionTable.programAndHelp), (.historyFilter, typing)]
    }

    static let part = MenuPart.history
    static let actions: [Action] =
        [
            action(
                .accept, [.enter], label: "go to flag", help: "Go to the flag that was changed.",
                disabledReason: { sheet, state in
                    if sheet.selectedEntry == nil { return "No change to choose." }
                    return sheet.selectedItem?.key == nil
                        ? "Several flags changed here. \(state.keyWord(of: .moveDown)) goes to one." : nil
                }
            ) { sheet, state in
                if let key = sheet.selectedItem?.key { state.goToFlag(FlagText(key)) }
                return []
            },
            closing([.escape, "q", "H"], help: "Close the history.") {
                $0.filter.text.isEmpty ? $1.closeSheet() : $0.clearFilter()
            },
            action(.filter, ["/"], label: "filter", help: "Filter by words: flags, values, people, dates.") {
                sheet, _ in sheet.filtering(true)
            },
            action(
                .undo, ["u"], label: "undo", help: "Undo the last change, no matter who made it.", .changesValues,
                disabledReason: { $1.undoReason }
            ) { $1.moveHistory(.undo) },
            action(
                "undoTo", ["U"], label: "undo to here", help: "Undo every change back to the selected one.",
                .changesValues,
                disabledReason: { sheet, state in
                    if let reason = state.undoReason { return reason }
                    guard let entry = sheet.selectedEntry else { return "Nothing to undo." }
                    if entry.isMove { return "This is an undo or a redo. Choose its original change." }
                    return sheet.undoCount == 0 ? "Already undone." : nil
                }
            ) { sheet, state in
                state.moveLocalHistory(.undoTo(sheet.selectedEntry?.revision ?? 0))
            },
            action(
                .redo, [.control("r")], label: "redo", help: "Redo the last undo.", .changesValues,
                disabledReason: { $1.undoReason }
            ) { $1.moveHistory(.redo) },
            action("copyText", ["y"], label: "copy", help: "Copy what is listed.") { sheet, state in
                [.copy(id: state.makeRequestID(), sheet.texts.joined(separator: "\n"), what: "history")]
            },
        ] + movements("change")

    private static let filterActions: [Action] =
        [
            action(.accept, [.enter], label: "keep filter", help: "Keep the filter and return to the changes.") {
                sheet, _ in sheet.filtering(false)
            },
            closing([.escape], label: "clear filter", help: "Reset the filter of the history.") { sheet, _ in
                sheet.clearFilter()
            },
        ] + movements("change", takesText: true)

    var part: MenuPart { isFiltering ? .historyFilter : .history }
    func choices(in state: MenuState) -> [Item] { items }

    private mutating func filtering(_ isFiltering: Bool) -> [Effect] {
        self.isFiltering = isFiltering
        return []
    }

    private mutating func clearFilter() -> [Effect] {
        (filter, isFiltering) = (TextField(), false)
        applyFilter()
        return []
    }

    /// Shows the response to the newest request. After any other event of the store, requests the entries again.
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .store(let event) = event else { return nil }
        switch event {
        case .historyRead(let id, let entries, let error):
            if id == request { replace(entries, error: error) }
            return []
        default:
            let effects = state.receive(event)
            let id = state.makeRequestID()
            (request, isWaiting) = (id, true)
            return effects + [.readHistory(id: id)]
        }
    }
}

extension MenuState {
    mutating func openHistory() -> [Effect] {
        let id = makeRequestID()
        return open(HistorySheet(request: id)) + [.readHistory(id: id)]
    }

    /// Closes the sheet and selects a flag in the list, which shows all flags again if it hides this one.
    mutating func goToFlag(_ key: FlagText) {
        mode = .list
        list.reveal(key)
        chooseFlag(key)
    }
}

// The view: a row for each item, and a row with the date above the items of each day.
extension HistorySheet {
    func view(in state: MenuState) -> SheetList {
        let rows = SheetList.rows(items.count, state, heading: { items[$0].entry.date }) {
            line(items[$0], state.theme)
        }
        let undo = undoCount > 1 ? ": \(state.keyName(of: "undoTo", in: .history)) undoes \(undoCount)" : ""
        let hasField = isFiltering || !filter.text.isEmpty
        return SheetList(
            state, title: "History, newest first\(undo)", columns: min(100, state.size.columns - 4),
            field: hasField ? .init(sign: "/", text: filter, isEdited: isFiltering) : nil, rows: rows,
            selection: selection, empty: emptySentence)
    }

    private func line(_ item: Item, _ theme: Theme) -> StyledLine {
        let style = item.entry.isUndone ? theme.faint : theme.plain
        return item.isWhole
            ? StyledLine("\(item.entry.time)  ", theme.faint).adding(item.text, style)
            : StyledLine("          \(item.text)", style)
    }

    private var emptySentence: String {
        if isWaiting { return "Reading." }
        return error ?? (entries.isEmpty ? "No changes yet." : "No change contains these words.")
    }

    func printed(in state: MenuState) -> LineModeSheet {
        if isFiltering { return LineModeSheet(lines: ["The words to filter by."], prompt: "Filter: ") }
        guard items.isEmpty else {
            let older = items.count - Self.printedCount
            let command = state.commands.command("history").text ?? "flagmenu history"
            return LineModeSheet(
                before: ["History, newest first."], numbering: Array(texts.prefix(Self.printedCount)),
                after: older > 0
                    ? ["\(older.counted("older line is", "older lines are")) left out. \(command) lists all."] : [],
                prompt: "History: ")
        }
        return LineModeSheet(lines: [emptySentence], isAnnounced: !isWaiting && entries.isEmpty)
    }

    /// The maximum number of items that line mode prints.
    private static let printedCount = 20

    /// The listed items as lines of text.
    private var texts: [String] {
        items.map { item in
            item.isWhole ? "\(item.entry.date) \(item.entry.time)  \(item.text)" : "    \(item.text)"
        }
    }
}

extension HistoryEntry {
    /// Whether the entry can be undone.
    fileprivate var isUndoable: Bool {
        !isMove && !isUndone && !(changes.isEmpty && contextChanges.isEmpty)
    }

    /// The text that the filter searches, in lower case.
    fileprivate var searchText: String {
        let words = changes.flatMap { [$0.key, $0.old?.value ?? "", $0.new?.value ?? ""] }
        return ([date, time, by, action] + words + contextChanges.map(\.sentence)).joined(separator: " ").lowercased()
    }

    /// The entry on one line: its change if it has only one, otherwise its action; then notes and the author.
    fileprivate func text(_ onlyChange: String?) -> String {
        let notes = [onlyChange != nil && isMove ? action : nil, isUndone ? "undone" : nil, by.isEmpty ? nil : by]
        return "\(onlyChange ?? action)  \(notes.compactMap { $0 }.joined(separator: ", "))"
    }
}
