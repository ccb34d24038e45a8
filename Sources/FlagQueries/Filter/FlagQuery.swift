package import FlagModel

/// The parsed filter line: words that must all match, and conditions such as `is:overridden`.
public struct FlagQuery: Sendable, Equatable {
    /// A word or condition, possibly excluded by `!`.
    struct Term<Content: Sendable & Equatable>: Sendable, Equatable {
        let content: Content
        let isExcluded: Bool
    }

    /// A searched word. A quoted word must be contained literally; otherwise its letters may be scattered.
    package struct Word: Sendable, Equatable {
        package let pattern: FuzzyPattern
        package let isQuoted: Bool
    }

    private(set) var words: [Term<Word>] = []
    private(set) var conditions: [Term<FilterCondition>] = []
    /// Errors in the line, one sentence each. An unknown condition matches no flag: if a typo left all flags listed, a
    /// user might clear all of them by mistake.
    package private(set) var issues: [String] = []
    /// Whether words must be contained literally, in any case, instead of as scattered letters.
    let isLiteral: Bool

    /// Parses a filter line while it is typed: an incomplete part has no effect yet.
    public init(_ text: String) {
        isLiteral = false
        for token in FilterToken.tokens(in: text) where !token.text.isEmpty { add(token) }
    }

    /// Parses a complete filter: its words match literally, and an incomplete part is an error.
    public init(literal text: String) {
        isLiteral = true
        for token in FilterToken.tokens(in: text) {
            if token.text.isEmpty { issues.append(token.missingTextError) } else { add(token) }
        }
    }

    private mutating func add(_ token: FilterToken) {
        guard let kind = token.condition else {
            // A pattern without capitals matches both cases.
            let pattern = FuzzyPattern(isLiteral ? token.text.lowercased() : token.text)
            let word = Word(pattern: pattern, isQuoted: token.isQuoted || isLiteral)
            // A word of only accents cannot be searched.
            guard !pattern.letters.isEmpty else {
                if isLiteral { issues.append("\(JSONOutput.quoted(token.text, limit: 40)) has no letters.") }
                return
            }
            words.append(Term(content: word, isExcluded: token.isExcluded))
            return
        }
        if let condition = FilterCondition(kind, token.text, isLiteral: isLiteral) {
            conditions.append(Term(content: condition, isExcluded: token.isExcluded))
        } else {
            // An unknown word matches no flag.
            conditions.append(Term(content: .states([]), isExcluded: false))
            let accepted = kind.words?.joined(separator: ", ") ?? ">10, <10, =text or a text"
            issues.append("\(kind.rawValue): accepts \(accepted); not \(token.text).")
        }
    }

    /// Whether the query has no words and no conditions, so that every flag matches.
    public var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    /// Whether matches have scores, in which case the list shows the best match first. Conditions, excluded words and
    /// literal queries give no scores.
    public var isRanked: Bool { !isLiteral && words.contains { !$0.isExcluded } }

    /// Whether a text contains all words, and no excluded one.
    func containsWords(of text: FlagText) -> Bool {
        words.allSatisfy { $0.content.pattern.isContained(in: text) != $0.isExcluded }
    }

    /// The words to highlight in the texts of matching flags: all words that are not excluded.
    package var markedWords: [Word] { words.filter { !$0.isExcluded }.map(\.content) }
}

extension FlagQuery.Word {
    /// The score of the word in a name or key; `nil` if the word does not match.
    package func score(in text: FlagText) -> Int? {
        isQuoted ? pattern.runScore(in: text) : pattern.score(in: text)
    }

    /// Whether a score in a name or key is at least that of the whole word inside another word.
    package func isGood(_ score: Int) -> Bool { Scoring.isGood(score, letters: pattern.letters.count) }

    /// Whether the value contains the word, and neither the name nor the key is a good match for the word.
    package func matchesValue(_ value: String, of facts: FlagFacts) -> Bool {
        guard pattern.isContained(in: FlagText(value)) else { return false }
        let best = max(score(in: FlagText(facts.name)) ?? 0, score(in: FlagText(facts.key)) ?? 0)
        return !isGood(best)
    }
}
