/// The parts of a filter line: words, phrases in quotes, and conditions such as `is:overridden`, each of which `!` may exclude.
struct FilterToken: Equatable {
    /// `!` stands before it.
    var isExcluded = false
    /// The condition that it begins with, such as `is`; `nil` for words.
    var condition: FilterCondition.Kind?
    /// What is looked for, without quotes.
    var text = ""
    /// It stands in quotes, so that it is looked for as it is.
    var isQuoted = false

    /// Reads a line. Every text is a valid line; quotes that are still open reach to its end.
    static func tokens(in line: String) -> [FilterToken] {
        var rest = Substring(line)
        var tokens: [FilterToken] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return tokens }
            tokens.append(FilterToken(from: &rest))
        }
    }

    /// What a part without text lacks, as a sentence.
    var sentenceOnMissingText: String {
        guard let condition else { return "\(isExcluded ? "!" : "\"\"") needs a word." }
        let known = condition.words.map { ": \($0.joined(separator: ", "))" } ?? ""
        return "\(condition.rawValue): needs a word\(known)."
    }

    /// Takes one token from the front of a text that starts with it.
    private init(from rest: inout Substring) {
        if rest.first == "!" {
            isExcluded = true
            rest.removeFirst()
        }
        if let kind = FilterCondition.Kind.allCases.first(where: { rest.hasPrefix("\($0.rawValue):") }) {
            condition = kind
            rest.removeFirst(kind.rawValue.count + 1)
        }
        if rest.first == "\"" {
            isQuoted = true
            rest.removeFirst()
            let end = rest.firstIndex(of: "\"") ?? rest.endIndex
            text = String(rest[..<end])
            rest = rest[end...].dropFirst()
        } else {
            let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
            text = String(rest[..<end])
            rest = rest[end...]
        }
    }
}
