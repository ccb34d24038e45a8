import FlagModel

/// What the filter line asks for: words that must all match, and conditions such as `is:overridden`.
public struct FlagQuery: Sendable, Equatable {
    /// A word or condition, asked for or excluded by `!`.
    struct Term<Content: Sendable & Equatable>: Sendable, Equatable {
        let content: Content
        let isExcluded: Bool
    }

    /// A word to look for: by its letters, or where it stands in quotes as it is.
    struct Word: Sendable, Equatable {
        let pattern: FuzzyPattern
        let isQuoted: Bool
    }

    private(set) var words: [Term<Word>] = []
    private(set) var conditions: [Term<FilterCondition>] = []
    /// What the line asks for and nobody knows, a sentence each. Nothing matches it: a list that a typo leaves whole is
    /// one that somebody clears by mistake.
    private(set) var problems: [String] = []

    /// Reads a filter line. Every text is a valid query; what is still to be typed waits for its rest.
    public init(_ text: String) {
        for token in FilterToken.tokens(in: text) where !token.text.isEmpty { add(token) }
    }

    private mutating func add(_ token: FilterToken) {
        guard let kind = token.condition else {
            let word = Word(pattern: FuzzyPattern(token.text), isQuoted: token.isQuoted)
            // Nothing but accents is nothing to look for.
            if !word.pattern.letters.isEmpty { words.append(Term(content: word, isExcluded: token.isExcluded)) }
            return
        }
        if let condition = FilterCondition(kind, token.text) {
            conditions.append(Term(content: condition, isExcluded: token.isExcluded))
        } else if let known = kind.words {
            conditions.append(Term(content: .states([]), isExcluded: false))
            problems.append("\(kind.rawValue): knows \(known.joined(separator: ", ")); not \(token.text).")
        }
    }

    /// `true` when every flag matches.
    public var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    /// `true` when matches differ in quality, so that the best comes first; conditions alone keep the list's order.
    public var isRanked: Bool { words.contains { !$0.isExcluded } }

    /// What to mark in the texts of matching flags.
    var markedWords: [Word] { words.filter { !$0.isExcluded }.map(\.content) }
}
