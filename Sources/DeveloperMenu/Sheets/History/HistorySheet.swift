import FlagModel
import FlagQueries
import TerminalUI

/// The sheet of the history of overrides, with the newest entry first. Here users find a flag, or undo changes.
struct HistorySheet: Equatable {
    /// The entries of the history, or why there are none.
    enum Content: Equatable {
        case awaited
        case read([HistoryEntry])
        /// Why the history cannot be read, as a sentence.
        case unreadable(String)
    }

    /// A row that can be selected: an entry or, if an entry has several changes, one of the changes.
    struct Item: Equatable {
        let entry: HistoryEntry
        /// The index of the change in the entry; `nil` for the whole entry.
        let change: Int?
        /// The text of the entry or of the change.
        let text: String
    }

    private(set) var content = Content.awaited
    /// The newest request for the history; responses to older ones are ignored.
    var request: RequestID?
    /// The filter line: entries are listed if they contain all its words.
    var filter = TextField()
    /// Whether the filter line is open for typing.
    private var isFiltering = false
    /// The listed items.
    private(set) var items: [Item] = []
    /// The index of the selected item.
    var selection = 0

    init(request: RequestID) { self.request = request }

    /// All entries, even if the filter hides them.
    var entries: [HistoryEntry] { if case .read(let entries) = content { entries } else { [] } }

    /// The entry of the selected item; `nil` if there are no items.
    var selectedEntry: HistoryEntry? { selectedItem?.entry }

    private var selectedItem: Item? { items.indices.contains(selection) ? items[selection] : nil }

    /// The key of the selected change, or of the only change of the selected entry; `nil` if there is none.
    private var selectedKey: String? {
        guard let item = selectedItem else { return nil }
        let entry = item.entry
        let isOnly = entry.changes.count + entry.contextChanges.count == 1
        let change = item.change ?? (isOnly ? 0 : entry.changes.count)
        return entry.changes.indices.contains(change) ? entry.changes[change].key : nil
    }

    /// The number of entries that are undone if the selected entry and all newer ones are undone; 0 if the selected
    /// entry cannot be undone.
    var undoCount: Int {
        guard let selectedEntry, selectedEntry.isUndoable else { return 0 }
        return entries.count { $0.isUndoable && $0.revision >= selectedEntry.revision }
    }

    /// Shows a newly read history. The selected entry stays selected.
    private mutating func replace(_ new: Content) {
        let selected = selectedEntry?.revision
        content = new
        applyFilter()
        guard let selected else { return }
        selection = items.firstIndex { $0.entry.revision == selected } ?? selection
    }

    /// Lists the entries that contain every word of the filter.
    mutating func applyFilter() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace)
        items = entries.flatMap { entry -> [Item] in
            let text = words.isEmpty ? "" : entry.searchText
            guard words.allSatisfy(text.contains) else { return [] }
            let lines = entry.lines
            let changeItems =
                lines.count > 1 ? lines.enumerated().map { Item(entry: entry, change: $0, text: $1) } : []
            return [Item(entry: entry, change: nil, text: entry.text(lines))] + changeItems
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
        [
            (.history, actions + ActionTable.programAndHelp),
            (.historyFilter, filterActions + ActionTable.line + ActionTable.programAndHelpWhileTyping),
        ]
    }

    private static let actions: [Action] =
        [
            action(
                .accept, [.enter], label: "go to flag", help: "Go to the flag that was changed.",
                disabledReason: { sheet, state in
                    if sheet.selectedEntry == nil { return "No change to choose." }
                    return sheet.selectedKey == nil
                        ? "Several flags changed here. \(state.keyWord(of: .moveDown)) goes to one." : nil
                }
            ) { sheet, state in
                if let key = sheet.selectedKey { state.goToFlag(FlagText(key)) }
                return []
            },
            action(.cancel, [.escape, "q", "H"], label: "back", help: "Close the history.", .isWayOut, rank: .always) {
                $0.filter.text.isEmpty ? $1.closeSheet() : $0.clearFilter()
            },
            action(.filter, ["/"], label: "filter", help: "Filter by words: flags, values, people, dates.") {
                sheet, _ in sheet.filtering(true)
            },
            action(.undo, ["u"], label: "undo", help: "Undo the last change, no matter who made it.", .changesValues) {
                $1.moveHistory(.undo)
            },
            action(
                "undoTo", ["U"], label: "undo to here", help: "Undo every change back to the selected one.",
                .changesValues,
                disabledReason: { sheet, _ in
                    guard let entry = sheet.selectedEntry else { return "Nothing to undo." }
                    if entry.isMove { return "This is an undo or a redo. Choose its original change." }
                    return sheet.undoCount == 0 ? "Already undone." : nil
                }
            ) { sheet, state in
                let revision = sheet.selectedEntry?.revision ?? 0
                return state.moveHistory(sheet.undoCount == 1 ? .undo : .undoTo(revision))
            },
            action(.redo, [.control("r")], label: "redo", help: "Redo the last undo.", .changesValues) {
                $1.moveHistory(.redo)
            },
            action("copyText", ["y"], label: "copy", help: "Copy what is listed.") { sheet, state in
                [.copy(id: state.makeRequestID(), sheet.texts.joined(separator: "\n"), what: "history")]
            },
        ] + movements("change")

    private static let filterActions: [Action] =
        [
            action(.accept, [.enter], label: "keep filter", help: "Keep the filter and return to the changes.") {
                sheet, _ in sheet.filtering(false)
            },
            action(
                .cancel, [.escape], label: "clear filter", help: "Reset the filter of the history.", .isWayOut,
                rank: .always
            ) { sheet, _ in sheet.clearFilter() },
        ] + movements("change", takesText: true)

    var part: MenuPart { isFiltering ? .historyFilter : .history }
    var isWaiting: Bool { content == .awaited }
    func entryCount(in state: MenuState) -> Int { items.count }

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
        case .historyRead(let id, let entries):
            if id == request { replace(.read(entries)) }
            return []
        case .historyNotRead(let id, let reason):
            if id == request { replace(.unreadable(reason)) }
            return []
        default:
            let effects = state.receive(event)
            let id = state.makeRequestID()
            request = id
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
        return item.change == nil
            ? StyledLine("\(item.entry.time)  ", theme.faint).adding(item.text, style)
            : StyledLine("          \(item.text)", style)
    }

    private var emptySentence: String {
        switch content {
        case .awaited: "Reading."
        case .read([]): "No changes yet."
        case .read: "No change contains these words."
        case .unreadable(let sentence): sentence
        }
    }

    func printed(in state: MenuState) -> LineModeSheet {
        if isFiltering { return LineModeSheet(lines: ["The words to filter by."], prompt: "Filter: ") }
        guard items.isEmpty else {
            return LineModeSheet(before: ["History, newest first."], numbering: texts, prompt: "History: ")
        }
        return LineModeSheet(lines: [emptySentence], isAnnounced: content != .awaited && entries.isEmpty)
    }

    /// The listed items as lines of text.
    private var texts: [String] {
        items.map { item in
            item.change == nil ? "\(item.entry.date) \(item.entry.time)  \(item.text)" : "    \(item.text)"
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
        let words =
            changes.flatMap { [$0.key, $0.old?.value ?? "", $0.new?.value ?? ""] }
            + contextChanges.map(\.sentence)
        return ([date, time, by, action] + words).joined(separator: " ").lowercased()
    }

    /// The entry on one line: its change if there is only one, otherwise its action; then notes and the author.
    fileprivate func text(_ lines: [String]) -> String {
        let hasOneChange = lines.count == 1
        let notes = [hasOneChange && isMove ? action : nil, isUndone ? "undone" : nil, by.isEmpty ? nil : by]
        return "\(hasOneChange ? lines[0] : action)  \(notes.compactMap { $0 }.joined(separator: ", "))"
    }

    /// The changes of the entry, each on one line, as `key: old -> new`.
    fileprivate var lines: [String] {
        changes.map { change in
            let (old, new) = (EffectiveChange.shown(change.old?.value), EffectiveChange.shown(change.new?.value))
            return "\(change.key): \(old) -> \(new)"
        } + contextChanges.map(\.sentence)
    }
}
