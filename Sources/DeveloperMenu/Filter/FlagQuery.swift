import FlagModel

/// What the filter line asks for: words that must all match, and conditions such as `is:overridden`.
public struct FlagQuery: Sendable, Equatable {
    /// A condition on a flag that is not a search for text.
    enum Condition: Sendable, Equatable {
        case state(String)
        case type(String)
        case category(FuzzyPattern)
        case layer(String)
    }

    /// A word or condition, asked for or excluded by `!`.
    struct Term<Content: Sendable & Equatable>: Sendable, Equatable {
        let content: Content
        let isExcluded: Bool
    }

    let words: [Term<FuzzyPattern>]
    let conditions: [Term<Condition>]

    /// Reads a filter line. Every text is a valid query; a `!` by itself still waits for its word.
    public init(_ text: String) {
        var words: [Term<FuzzyPattern>] = []
        var conditions: [Term<Condition>] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            let isExcluded = part.hasPrefix("!")
            let word = isExcluded ? part.dropFirst() : part
            if let condition = Self.condition(word) {
                conditions.append(Term(content: condition, isExcluded: isExcluded))
            } else if word.isEmpty || Self.isUnfinishedCondition(word) {
                continue
            } else {
                words.append(Term(content: FuzzyPattern(String(word)), isExcluded: isExcluded))
            }
        }
        self.words = words
        self.conditions = conditions
    }

    /// `true` when every flag matches.
    public var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    /// `true` when matches differ in quality, so that the best comes first; conditions alone keep the catalog's order.
    public var isRanked: Bool { words.contains { !$0.isExcluded } }

    /// What to mark in the names of matching flags.
    var highlightedPatterns: [FuzzyPattern] { words.filter { !$0.isExcluded }.map(\.content) }

    private static func condition(_ word: Substring) -> Condition? {
        guard let colon = word.firstIndex(of: ":") else { return nil }
        let value = String(word[word.index(after: colon)...])
        let name = value.lowercased()
        guard !value.isEmpty else { return nil }
        return switch word[..<colon] {
        case "is": .state(name)
        case "type": .type(name)
        case "cat": .category(FuzzyPattern(value))
        case "layer": .layer(name)
        default: nil
        }
    }

    /// `is:` while its value is still to be typed must not empty the list.
    private static func isUnfinishedCondition(_ word: Substring) -> Bool {
        ["is:", "type:", "cat:", "layer:"].contains(word)
    }

    /// How well a flag matches, larger is better; `nil` when it does not.
    func score(_ place: FlagBoard.Place, category: FlagText, on board: FlagBoard) -> Int? {
        for condition in conditions where holds(condition.content, place, category, board) == condition.isExcluded {
            return nil
        }
        guard !words.isEmpty else { return 0 }
        let texts = SearchableTexts(place, on: board)
        var total = 0
        for word in words {
            if word.isExcluded {
                guard !texts.contain(word.content) else { return nil }
            } else {
                guard let score = texts.best(word.content) else { return nil }
                total += score
            }
        }
        return total
    }

    private func holds(_ condition: Condition, _ place: FlagBoard.Place, _ category: FlagText, _ board: FlagBoard)
        -> Bool
    {
        switch condition {
        case .category(let pattern):
            return pattern.score(in: category) != nil
        case .state(let word) where !board.isOverridden(place):
            return "remote".hasPrefix(word) && board.facts(at: place).explanation.winner == .remote
        case .state(let word):
            return board.facts(at: place).state.matches(word)
        case .type(let word):
            return board.facts(at: place).type.rawValue.hasPrefix(word)
        case .layer(let word):
            return board.facts(at: place).explanation.winner?.word.hasPrefix(word) ?? false
        }
    }
}

extension OverrideState {
    /// `true` when a flag in this state is meant by `is:WORD`, of which the first letters are enough.
    func matches(_ word: String) -> Bool {
        names.contains { $0.hasPrefix(word) }
    }

    private var names: [String] {
        switch self {
        case .notSet: []
        case .overridden: ["overridden", "changed"]
        case .sameAsRemote: ["overridden", "changed", "same", "stale"]
        case .stale: ["overridden", "changed", "stale"]
        case .invalid: ["overridden", "changed", "invalid"]
        }
    }
}

/// The texts of one flag in which words are looked for, with what a match in each is worth.
private struct SearchableTexts {
    let title: FlagText?
    let key: FlagText
    let value: FlagText?
    let details: FlagText?

    init(_ place: FlagBoard.Place, on board: FlagBoard) {
        switch place {
        case .item(let index):
            let item = board.catalog.items[index]
            (title, key, details) = (item.title, item.key, item.details)
            value = board.explanation(of: item).value
        case .orphan(let index):
            (title, key, details) = (nil, FlagText(board.orphans[index]), nil)
            value = board.values.overrides[board.orphans[index]].map { FlagText($0.value) }
        }
    }

    /// Whether a word stands in any text as typed. What excludes must not do so by letters scattered over a title.
    func contain(_ pattern: FuzzyPattern) -> Bool {
        [title, key, value, details].contains { $0.map(pattern.isContained) ?? false }
    }

    /// The best score over the texts. Titles and keys match by scattered letters; values and descriptions, which are
    /// long enough to hold any letters somewhere, only by whole words as typed.
    func best(_ pattern: FuzzyPattern) -> Int? {
        let scattered = [title, key].compactMap { $0 }.compactMap { pattern.score(in: $0) }.max()
        if let scattered { return scattered + 1_000 }
        if let value, pattern.isContained(in: value) { return 500 }
        if let details, pattern.isContained(in: details) { return 100 }
        return nil
    }
}
