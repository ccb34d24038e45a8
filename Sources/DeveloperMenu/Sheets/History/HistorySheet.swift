import FlagModel

/// The history of overrides, the newest first, to look through, to find a flag by, and to undo from.
public struct HistorySheet: Sendable, Equatable {
    /// What is known of the history.
    enum Content: Sendable, Equatable {
        case awaited
        case read([HistoryEntry])
        /// A sentence that says why not.
        case unreadable(String)
    }

    /// A line that can be selected: an entry with its only change, an entry of several, or one of those.
    struct Item: Sendable, Hashable {
        /// The place of the entry.
        let entry: Int
        /// The place of the change in the entry; `nil` if it stands for the whole entry.
        let change: Int?
    }

    var content = Content.awaited
    /// The newest request of it, the only one whose answer counts.
    var request: RequestID?
    /// The words that entries are filtered by.
    var filter = TextField()
    /// Whether the filter is being typed.
    var isFiltering = false
    /// What is listed.
    private(set) var items: [Item] = []
    /// The place of the selected item.
    var selection = 0

    /// The entries, whether listed or not.
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

    /// How many changes an undo down to the selected one takes back; 0 if it can take back none.
    var undoCount: Int {
        guard let selectedEntry, selectedEntry.isUndoable else { return 0 }
        return entries.count { $0.isUndoable && $0.revision >= selectedEntry.revision }
    }

    /// Takes over the history as it is now; the same entry stays selected.
    mutating func replace(_ new: Content) {
        let selected = selectedEntry?.revision
        let isOnNewest = selection == 0
        content = new
        find()
        guard let selected, !isOnNewest else { return }
        selection = items.firstIndex { entries[$0.entry].revision == selected } ?? selection
    }

    /// Lists the entries that hold every word of the filter.
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
    /// Whether an undo takes it back.
    fileprivate var isUndoable: Bool { !isMove && !isUndone && !changes.isEmpty }

    fileprivate var searchText: String {
        let words = changes.flatMap { [$0.key, $0.old?.value ?? "", $0.new?.value ?? ""] }
        return ([date, time, by, action] + words).joined(separator: " ").lowercased()
    }
}
