/// The parts of a filter line: words, quoted phrases, and conditions such as `is:overridden`, each of which `!` may
/// exclude.
struct FilterToken: Equatable {
    /// Whether `!` precedes it.
    var isExcluded = false
    /// The condition's prefix, such as `is`; `nil` for words.
    var condition: FilterCondition.Kind?
    /// The text to search, without quotes.
    var text = ""
    /// Whether it is quoted, so that it matches literally.
    var isQuoted = false

    /// Parses a line. Every text is a valid line; open quotes extend to its end.
    static func tokens(in line: String) -> [FilterToken] {
        var rest = Substring(line)
        var tokens: [FilterToken] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return tokens }
            tokens.append(FilterToken(from: &rest))
        }
    }

    /// What is missing in a part without text, as a sentence.
    var sentenceOnMissingText: String {
        guard let condition else { return "\(isExcluded ? "!" : "\"\"") needs a word." }
        let known = condition.words.map { ": \($0.joined(separator: ", "))" } ?? ""
        return "\(condition.rawValue): needs a word\(known)."
    }

    /// Takes one token from the front of a text.
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
