import FlagModel

/// The sheet of the history of overrides, with the newest entry first. Here users find a flag, or undo changes.
public struct HistorySheet: Sendable, Equatable {
    /// The entries of the history, or why there are none.
    enum Content: Sendable, Equatable {
        case awaited
        case read([HistoryEntry])
        /// Why the history cannot be read, as a sentence.
        case unreadable(String)
    }

    /// A row that can be selected: an entry or, if an entry has several changes, one of the changes.
    struct Item: Sendable, Hashable {
        /// The index of the entry.
        let entry: Int
        /// The index of the change in the entry; `nil` for the whole entry.
        let change: Int?
    }

    var content = Content.awaited
    /// The newest request for the history; responses to older ones are ignored.
    var request: RequestID?
    /// The filter line: entries are listed if they contain all its words.
    var filter = TextField()
    /// Whether the filter line is open for typing.
    var isFiltering = false
    /// The listed items.
    private(set) var items: [Item] = []
    /// The index of the selected item.
    var selection = 0

    /// All entries, even if the filter hides them.
    var entries: [HistoryEntry] { if case .read(let entries) = content { entries } else { [] } }

    /// The entry of the selected item; `nil` if there are no items.
    var selectedEntry: HistoryEntry? { items.indices.contains(selection) ? entries[items[selection].entry] : nil }

    /// The key of the selected change, or of the only change of the selected entry; `nil` if there is none.
    var selectedKey: String? {
        guard items.indices.contains(selection) else { return nil }
        let item = items[selection]
        let entry = entries[item.entry]
        let change = item.change ?? (Self.lines(of: entry).count == 1 ? 0 : entry.changes.count)
        return entry.changes.indices.contains(change) ? entry.changes[change].key : nil
    }

    /// The number of entries that are undone if the selected entry and all newer ones are undone; 0 if the selected
    /// entry cannot be undone.
    var undoCount: Int {
        guard let selectedEntry, selectedEntry.isUndoable else { return 0 }
        return entries.count { $0.isUndoable && $0.revision >= selectedEntry.revision }
    }

    /// Shows a newly read history. The selected entry stays selected. If the first item was selected, the new first
    /// item becomes selected.
    mutating func replace(_ new: Content) {
        let selected = selectedEntry?.revision
        let isOnNewest = selection == 0
        content = new
        updateItems()
        guard let selected, !isOnNewest else { return }
        selection = items.firstIndex { entries[$0.entry].revision == selected } ?? selection
    }

    /// Lists the entries that contain every word of the filter.
    mutating func updateItems() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace)
        items = entries.enumerated().flatMap { index, entry -> [Item] in
            let text = words.isEmpty ? "" : entry.searchText
            guard words.allSatisfy(text.contains) else { return [] }
            let lines = Self.lines(of: entry)
            let changeItems = lines.count > 1 ? lines.indices.map { Item(entry: index, change: $0) } : []
            return [Item(entry: index, change: nil)] + changeItems
        }
        selection = max(0, min(selection, items.count - 1))
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
}
