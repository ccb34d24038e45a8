import TerminalUI

/// The bindings table as a list to choose from, filtered as somebody types; Enter runs what is selected.
///
/// Help shows every binding of every part of the menu, the palette every action of the list.
public struct ActionSheet: Sendable, Equatable {
    /// One binding that matches what is typed.
    public struct Entry: Sendable, Equatable {
        /// The binding's index in the keymap.
        public let index: Int
        /// Which bytes of its help sentence matched, to be marked.
        public let marks: [Int]
    }

    /// What had the keyboard before, and has it again afterwards.
    let behind: MenuState.Mode
    /// What is typed.
    public internal(set) var filter = TextField()
    /// The index of the selected entry among those that match.
    public internal(set) var selection = 0
    /// The bindings that match, the best first; in the order of the table while nothing is typed. Found anew when what
    /// is typed changes, not whenever the sheet is drawn.
    public private(set) var entries: [Entry] = []
    /// How many bindings there are to choose from.
    public var total: Int { texts.count }
    /// What words are looked for in, read once when the sheet opens.
    private let texts: [ActionText]

    init(over behind: MenuState.Mode, context: Binding.Context, keymap: Keymap) {
        self.behind = behind
        texts = keymap.all.indices.filter { context == .help || keymap.all[$0].context == .list }.map {
            ActionText(keymap.all[$0], index: $0)
        }
        find()
    }

    /// Finds the bindings that match what is typed.
    mutating func find() {
        let words = filter.text.split(whereSeparator: \.isWhitespace).map { ActionWord(String($0)) }
        let home = behind.context
        var found = texts.compactMap { text in text.match(words).map { (text: text, match: $0) } }
        // What works where somebody comes from goes first.
        func rank(_ context: Binding.Context) -> Int { context == home ? 0 : context == .list ? 1 : 2 }
        if words.isEmpty {
            found = found.filter { $0.text.context == home } + found.filter { $0.text.context != home }
        } else {
            // Swift's sort is stable, so equal matches keep the order of the table.
            found.sort { ($1.match.score, rank($0.text.context)) < ($0.match.score, rank($1.text.context)) }
        }
        entries = found.map { Entry(index: $0.text.index, marks: $0.match.marks) }
        selection = max(0, min(selection, entries.count - 1))
    }

    /// The selected binding.
    func selected(in keymap: Keymap) -> Binding? {
        guard entries.indices.contains(selection), keymap.all.indices.contains(entries[selection].index) else {
            return nil
        }
        return keymap.all[entries[selection].index]
    }
}
