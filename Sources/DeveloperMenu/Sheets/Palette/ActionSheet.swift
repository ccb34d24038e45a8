import TerminalUI

/// A list of actions to choose from, filtered while typing; Enter runs the selected one.
///
/// Help shows every action of every part of the menu, the palette every action of the list.
public struct ActionSheet: Sendable, Equatable {
    /// One action that matches the typed text.
    public struct Entry: Sendable, Equatable {
        /// The action's index in the keymap.
        public let index: Int
        /// The byte offsets of matches in the action's help, to highlight.
        public let marks: [Int]
    }

    /// The kinds of sheets, by the actions that they show.
    public enum Kind: Sendable {
        /// Every action of every part of the menu.
        case help
        /// Every action of the list.
        case palette
    }

    /// Help or the palette.
    public let kind: Kind
    /// The mode in which the sheet was opened, restored when the sheet closes.
    let behind: MenuState.Mode
    /// The typed text.
    public internal(set) var filter = TextField()
    /// The index of the selected entry in ``entries``.
    public internal(set) var selection = 0
    /// The matching actions, the best match first. Without a typed text, the actions of the part behind the sheet are
    /// first. Updated when the text changes, not whenever the sheet is drawn.
    public private(set) var entries: [Entry] = []
    /// The number of actions, matching or not.
    public var total: Int { texts.count }
    /// The texts to search, one for each action.
    private let texts: [ActionText]

    init(_ kind: Kind, over behind: MenuState.Mode, keymap: Keymap) {
        (self.kind, self.behind) = (kind, behind)
        texts = keymap.all.indices.filter { kind == .help || keymap.all[$0].part == .list }.map {
            ActionText(keymap.all[$0], index: $0)
        }
        updateEntries()
    }

    /// Finds the actions that match the typed text.
    mutating func updateEntries() {
        let words = filter.text.split(whereSeparator: \.isWhitespace).map { ActionWord(String($0)) }
        let partBehind = behind.part
        var matches = texts.compactMap { text in text.match(words).map { (text: text, match: $0) } }
        // The part behind the sheet has priority.
        func rank(_ part: MenuPart) -> Int { part == partBehind ? 0 : part == .list ? 1 : 2 }
        if words.isEmpty {
            let here = matches.filter { $0.text.part == partBehind }
            let elsewhere = matches.filter { $0.text.part != partBehind }
            // Help starts with the daily actions, as users read help from the start but search the palette by name.
            let sortedHere = kind == .palette ? here : here.filter(\.text.isDaily) + here.filter { !$0.text.isDaily }
            matches = sortedHere + elsewhere
        } else {
            // Swift's sort is stable, so equal matches keep the order of the table.
            matches.sort { ($1.match.score, rank($0.text.part)) < ($0.match.score, rank($1.text.part)) }
        }
        entries = matches.map { Entry(index: $0.text.index, marks: $0.match.marks) }
        selection = max(0, min(selection, entries.count - 1))
    }

    /// The selected action; `nil` if no action matches.
    func selected(in keymap: Keymap) -> Action? {
        guard entries.indices.contains(selection), keymap.all.indices.contains(entries[selection].index) else {
            return nil
        }
        return keymap.all[entries[selection].index]
    }
}
