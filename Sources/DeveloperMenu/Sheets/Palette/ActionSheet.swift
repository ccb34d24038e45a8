import TerminalUI

/// The table of actions as a list to choose from, filtered while typing; Enter runs the selected one.
///
/// Help shows every action of every part of the menu, the palette every action of the list.
public struct ActionSheet: Sendable, Equatable {
    /// One action that matches the typed text.
    public struct Entry: Sendable, Equatable {
        /// The action's index in the keymap.
        public let index: Int
        /// The matching bytes of its help sentence, to be marked.
        public let marks: [Int]
    }

    /// Which actions it shows.
    public enum Kind: Sendable {
        /// Every action of every part of the menu.
        case help
        /// Every action of the list.
        case palette
    }

    /// Which actions it shows.
    public let kind: Kind
    /// The mode before it, which is restored afterwards.
    let behind: MenuState.Mode
    /// The typed text.
    public internal(set) var filter = TextField()
    /// The index of the selected entry among the matching ones.
    public internal(set) var selection = 0
    /// The matching actions, the best first; in the order of the table without a text. Updated when the text changes,
    /// not whenever the sheet is drawn.
    public private(set) var entries: [Entry] = []
    /// How many actions there are.
    public var total: Int { texts.count }
    /// The searched texts, read when the sheet opens.
    private let texts: [ActionText]

    init(_ kind: Kind, over behind: MenuState.Mode, keymap: Keymap) {
        (self.kind, self.behind) = (kind, behind)
        texts = keymap.all.indices.filter { kind == .help || keymap.all[$0].part == .list }.map {
            ActionText(keymap.all[$0], index: $0)
        }
        find()
    }

    /// Finds the actions that match the typed text.
    mutating func find() {
        let words = filter.text.split(whereSeparator: \.isWhitespace).map { ActionWord(String($0)) }
        let home = behind.part
        var found = texts.compactMap { text in text.match(words).map { (text: text, match: $0) } }
        // Actions of the part behind come first.
        func rank(_ part: MenuPart) -> Int { part == home ? 0 : part == .list ? 1 : 2 }
        if words.isEmpty {
            let (near, far) = (found.filter { $0.text.part == home }, found.filter { $0.text.part != home })
            // The palette is searched by name; help is read from its start.
            found = kind == .palette ? near + far : near.filter(\.text.isDaily) + near.filter { !$0.text.isDaily } + far
        } else {
            // Swift's sort is stable, so equal matches keep the order of the table.
            found.sort { ($1.match.score, rank($0.text.part)) < ($0.match.score, rank($1.text.part)) }
        }
        entries = found.map { Entry(index: $0.text.index, marks: $0.match.marks) }
        selection = max(0, min(selection, entries.count - 1))
    }

    /// The selected action.
    func selected(in keymap: Keymap) -> Action? {
        guard entries.indices.contains(selection), keymap.all.indices.contains(entries[selection].index) else {
            return nil
        }
        return keymap.all[entries[selection].index]
    }
}
