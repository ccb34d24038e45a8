import FlagModel

/// The history of overrides, the newest first: to browse, to find a flag, and to undo.
public struct HistorySheet: Sendable, Equatable {
    /// The loaded history.
    enum Content: Sendable, Equatable {
        case awaited
        case read([HistoryEntry])
        /// The reason why it cannot be read, as a sentence.
        case unreadable(String)
    }

    /// A line that can be selected: an entry with its only change, an entry with several, or one of those.
    struct Item: Sendable, Hashable {
        /// The index of the entry.
        let entry: Int
        /// The index of the change in the entry; `nil` for the whole entry.
        let change: Int?
    }

    var content = Content.awaited
    /// Its newest request, whose response is the only one that counts.
    var request: RequestID?
    /// The words that entries are filtered by.
    var filter = TextField()
    /// Whether the filter is being typed.
    var isFiltering = false
    /// The listed items.
    private(set) var items: [Item] = []
    /// The index of the selected item.
    var selection = 0

    /// The entries, listed or not.
    var entries: [HistoryEntry] { if case .read(let entries) = content { entries } else { [] } }

    /// The selected entry.
    var selectedEntry: HistoryEntry? { items.indices.contains(selection) ? entries[items[selection].entry] : nil }

    /// The key of the selected change, or of the entry's only one.
    var selectedKey: String? {
        guard items.indices.contains(selection) else { return nil }
        let item = items[selection]
        let changes = entries[item.entry].changes
        return item.change.map { changes[$0].key } ?? (changes.count == 1 ? changes[0].key : nil)
    }

    /// How many changes an undo down to the selected one undoes; 0 if none.
    var undoCount: Int {
        guard let selectedEntry, selectedEntry.isUndoable else { return 0 }
        return entries.count { $0.isUndoable && $0.revision >= selectedEntry.revision }
    }

    /// Takes over a new history; the same entry stays selected.
    mutating func replace(_ new: Content) {
        let selected = selectedEntry?.revision
        let isOnNewest = selection == 0
        content = new
        find()
        guard let selected, !isOnNewest else { return }
        selection = items.firstIndex { entries[$0.entry].revision == selected } ?? selection
    }

    /// Lists the entries that contain every word of the filter.
    mutating func find() {
        let words = filter.text.lowercased().split(whereSeparator: \.isWhitespace)
        items = entries.enumerated().flatMap { index, entry -> [Item] in
            let text = words.isEmpty ? "" : entry.searchText
            guard words.allSatisfy(text.contains) else { return [] }
            let parts = entry.changes.count > 1 ? entry.changes.indices.map { Item(entry: index, change: $0) } : []
            return [Item(entry: index, change: nil)] + parts
        }
        selection = max(0, min(selection, items.count - 1))
    }
}

extension HistoryEntry {
    /// Whether an undo undoes it.
    fileprivate var isUndoable: Bool { !isMove && !isUndone && !changes.isEmpty }

    fileprivate var searchText: String {
        let words = changes.flatMap { [$0.key, $0.old?.value ?? "", $0.new?.value ?? ""] }
        return ([date, time, by, action] + words).joined(separator: " ").lowercased()
    }
}
