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
    /// Whether every word is matched as typed, in any case, and not by its letters.
    let isLiteral: Bool

    /// Reads a filter line. Every text is a valid query; what is still to be typed waits for its rest.
    public init(_ text: String) {
        isLiteral = false
        for token in FilterToken.tokens(in: text) where !token.text.isEmpty { add(token) }
    }

    /// Reads a filter that is complete: its words match literally, and a part that says nothing is a problem.
    init(literal text: String) {
        isLiteral = true
        for token in FilterToken.tokens(in: text) {
            if token.text.isEmpty { problems.append(token.sentenceOnMissingText) } else { add(token) }
        }
    }

    private mutating func add(_ token: FilterToken) {
        guard let kind = token.condition else {
            // Without capitals a pattern matches both.
            let pattern = FuzzyPattern(isLiteral ? token.text.lowercased() : token.text)
            let word = Word(pattern: pattern, isQuoted: token.isQuoted || isLiteral)
            // Nothing but accents is nothing to look for.
            guard !pattern.letters.isEmpty else {
                if isLiteral { problems.append("\(JSONOutput.quoted(token.text, limit: 40)) has no letters.") }
                return
            }
            words.append(Term(content: word, isExcluded: token.isExcluded))
            return
        }
        if let condition = FilterCondition(kind, token.text, isLiteral: isLiteral) {
            conditions.append(Term(content: condition, isExcluded: token.isExcluded))
        } else if let known = kind.words {
            conditions.append(Term(content: .states([]), isExcluded: false))
            problems.append("\(kind.rawValue): accepts \(known.joined(separator: ", ")); not \(token.text).")
        }
    }

    /// `true` when every flag matches.
    public var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    /// `true` when matches differ in quality, so that the best comes first; conditions alone keep the list's order.
    /// Literal matches do not differ.
    public var isRanked: Bool { !isLiteral && words.contains { !$0.isExcluded } }

    /// What to mark in the texts of matching flags.
    var markedWords: [Word] { words.filter { !$0.isExcluded }.map(\.content) }
}
