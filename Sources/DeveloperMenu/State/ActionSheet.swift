import FlagModel
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
    public private(set) var total = 0

    init(over behind: MenuState.Mode, context: Binding.Context, keymap: Keymap) {
        self.behind = behind
        find(in: keymap, context)
    }

    /// Finds the bindings that match what is typed.
    mutating func find(in keymap: Keymap, _ context: Binding.Context) {
        let words = filter.text.split(whereSeparator: \.isWhitespace).map(String.init)
        let candidates = keymap.all.indices.filter { context == .help || keymap.all[$0].context == .list }
        total = candidates.count
        let home = behind.context
        var found = candidates.compactMap { index in
            ActionMatch(keymap.all[index], words).map { match in
                (entry: Entry(index: index, marks: match.marks), score: match.score, context: keymap.all[index].context)
            }
        }
        // What works where somebody comes from goes first.
        func rank(_ context: Binding.Context) -> Int { context == home ? 0 : context == .list ? 1 : 2 }
        if words.isEmpty {
            found = found.filter { $0.context == home } + found.filter { $0.context != home }
        } else {
            // Swift's sort is stable, so equal matches keep the order of the table.
            found.sort { ($1.score, rank($0.context)) < ($0.score, rank($1.context)) }
        }
        entries = found.map(\.entry)
        selection = max(0, min(selection, entries.count - 1))
    }

    mutating func move(by count: Int) {
        selection = max(0, min(selection + count, entries.count - 1))
    }

    /// The selected binding.
    func selected(in keymap: Keymap) -> Binding? {
        guard entries.indices.contains(selection), keymap.all.indices.contains(entries[selection].index) else {
            return nil
        }
        return keymap.all[entries[selection].index]
    }
}

/// How well a binding matches words, all of which must match.
private struct ActionMatch {
    var score = 0
    var marks: [Int] = []

    init?(_ binding: Binding, _ words: [String]) {
        let sentence = binding.help.lowercased()
        let names = (binding.keys.flatMap { [$0.name, $0.displayName(charset: .unicode)] } + [binding.label ?? ""])
            .map { $0.lowercased() }
        for word in words.map({ $0.lowercased() }) {
            if let start = sentence.firstUTF8Range(of: word) {
                score += (start.isAtWord ? 300 : 200) + (start.offset == 0 ? 60 : 0)
                marks += start.offset..<start.offset + word.utf8.count
            } else if names.contains(word) {
                score += 250
            } else if names.contains(where: { $0.contains(word) })
                || binding.context.heading.lowercased().contains(word)
            {
                score += 150
            } else if let tight = Self.tight(FuzzyPattern(word), in: sentence) {
                score += 50
                marks += tight
            } else {
                return nil
            }
        }
    }

    /// Letters scattered over a whole sentence are no match that anybody meant.
    private static func tight(_ pattern: FuzzyPattern, in sentence: String) -> [Int]? {
        guard let found = pattern.positions(in: sentence), let first = found.first, let last = found.last,
            last - first < 3 * found.count
        else { return nil }
        return found
    }
}

extension String {
    /// Where a text stands in this one, preferably at the start of a word, by UTF-8 offset.
    fileprivate func firstUTF8Range(of text: String) -> (offset: Int, isAtWord: Bool)? {
        let (whole, part) = (Array(utf8), Array(text.utf8))
        guard !part.isEmpty, whole.count >= part.count else { return nil }
        let starts = (0...(whole.count - part.count)).filter { whole[$0..<$0 + part.count].elementsEqual(part) }
        let atWord = starts.first { $0 == 0 || !(whole[$0 - 1] | 0x20 >= 0x61 && whole[$0 - 1] | 0x20 <= 0x7A) }
        return (atWord ?? starts.first).map { ($0, atWord != nil) }
    }
}
