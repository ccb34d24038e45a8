import FlagModel

/// The parsed filter line: words that must all match, and conditions such as `is:overridden`.
public struct FlagQuery: Sendable, Equatable {
    /// A word or condition, possibly excluded by `!`.
    struct Term<Content: Sendable & Equatable>: Sendable, Equatable {
        let content: Content
        let isExcluded: Bool
    }

    /// A word to search: by its letters, or literally if it is quoted.
    struct Word: Sendable, Equatable {
        let pattern: FuzzyPattern
        let isQuoted: Bool
    }

    private(set) var words: [Term<Word>] = []
    private(set) var conditions: [Term<FilterCondition>] = []
    /// Unknown parts of the line, a sentence each. Nothing matches them: if a typo left the list complete, a user might
    /// clear it by mistake.
    private(set) var problems: [String] = []
    /// Whether every word matches as typed, in any case, and not by its letters.
    let isLiteral: Bool

    /// Parses a filter line. Every text is a valid query; an incomplete part has no effect yet.
    public init(_ text: String) {
        isLiteral = false
        for token in FilterToken.tokens(in: text) where !token.text.isEmpty { add(token) }
    }

    /// Parses a complete filter: its words match literally, and an incomplete part is an error.
    init(literal text: String) {
        isLiteral = true
        for token in FilterToken.tokens(in: text) {
            if token.text.isEmpty { problems.append(token.sentenceOnMissingText) } else { add(token) }
        }
    }

    private mutating func add(_ token: FilterToken) {
        guard let kind = token.condition else {
            // A pattern without capitals matches both cases.
            let pattern = FuzzyPattern(isLiteral ? token.text.lowercased() : token.text)
            let word = Word(pattern: pattern, isQuoted: token.isQuoted || isLiteral)
            // Accents alone cannot be searched.
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

    /// `true` if every flag matches.
    public var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    /// `true` if matches have different scores, so that the best comes first; with conditions alone the list keeps its
    /// order. Literal matches have no scores.
    public var isRanked: Bool { !isLiteral && words.contains { !$0.isExcluded } }

    /// The words to mark in the texts of matching flags.
    var markedWords: [Word] { words.filter { !$0.isExcluded }.map(\.content) }
}
