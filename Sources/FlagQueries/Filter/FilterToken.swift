/// One part of a filter line: a word, a quoted phrase, or a condition such as `is:overridden`. A `!` before the part
/// excludes the flags that match the part.
package struct FilterToken: Equatable {
    /// Whether the part begins with `!`.
    var isExcluded = false
    /// The condition's prefix, such as `is`; `nil` for a word or phrase.
    package var condition: FilterCondition.Kind?
    /// The text to search, or the text after the condition's colon, without quotes.
    package var text = ""
    /// Whether the text is quoted, so that it matches literally.
    package var isQuoted = false

    /// Parses a line. Every text is a valid line. A quote that is not closed extends to the end of the line.
    package static func tokens(in line: String) -> [FilterToken] {
        var remaining = Substring(line)
        var tokens: [FilterToken] = []
        while true {
            remaining = remaining.drop(while: \.isWhitespace)
            guard !remaining.isEmpty else { return tokens }
            tokens.append(FilterToken(from: &remaining))
        }
    }

    /// The error for a part without text, as a sentence.
    var missingTextError: String {
        guard let condition else { return "\(isExcluded ? "!" : "\"\"") needs a word." }
        let choices = condition.words.map { ": \($0.joined(separator: ", "))" } ?? ""
        return "\(condition.rawValue): needs a word\(choices)."
    }

    /// Removes one part from the front of a line and parses it.
    private init(from remaining: inout Substring) {
        if remaining.first == "!" {
            isExcluded = true
            remaining.removeFirst()
        }
        if let kind = FilterCondition.Kind.allCases.first(where: { remaining.hasPrefix("\($0.rawValue):") }) {
            condition = kind
            remaining.removeFirst(kind.rawValue.count + 1)
        }
        if remaining.first == "\"" {
            isQuoted = true
            remaining.removeFirst()
            let end = remaining.firstIndex(of: "\"") ?? remaining.endIndex
            text = String(remaining[..<end])
            remaining = remaining[end...].dropFirst()
        } else {
            let end = remaining.firstIndex(where: \.isWhitespace) ?? remaining.endIndex
            text = String(remaining[..<end])
            remaining = remaining[end...]
        }
    }
}
