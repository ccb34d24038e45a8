import FlagModel

extension MenuState {
    /// What helps while a filter is typed: the words that a condition knows, or what is wrong with one.
    var filterHint: String? {
        guard mode == .filter else { return nil }
        if let completion = FilterCompletion(self), let kind = completion.kind, !completion.words.isEmpty {
            return "\(kind.rawValue): \(completion.words.joined(separator: ", "))"
        }
        return FlagQuery(list.filter.text).problems.first
    }
}

/// The condition that is being typed at the end of the filter line, and the words that it may become.
struct FilterCompletion {
    /// What it begins with; `nil` while that is being typed.
    let kind: FilterCondition.Kind?
    /// What is typed behind the colon, or of what comes before it.
    let typed: String
    /// The words that begin like it.
    let words: [String]
    private let isQuoted: Bool

    /// The completion at the cursor; `nil` where no condition is being typed.
    init?(_ state: MenuState) {
        let field = state.list.filter
        guard field.cursor == field.characters.count, field.characters.last?.isWhitespace == false,
            let token = FilterToken.tokens(in: field.text).last
        else { return nil }
        kind = token.condition
        typed = token.text
        isQuoted = token.isQuoted
        let start = token.text.lowercased()
        guard let kind else {
            // `typ` may become a condition, but not what is looked for as it stands.
            let kinds = isQuoted ? [] : FilterCondition.Kind.allCases.map { "\($0.rawValue):" }
            words = kinds.filter { $0.hasPrefix(start) }
            if words.isEmpty { return nil }
            return
        }
        let names = kind.words ?? state.board.catalog.categories.map(\.name.string)
        words = names.filter { $0.lowercased().hasPrefix(start) && $0.lowercased() != start }
    }

    /// The line with the word completed: whole where there is one, else as far as all go together.
    func completed(_ field: TextField) -> TextField? {
        let common = words.commonPrefix { $0.lowercased() == $1.lowercased() }
        guard words.count == 1 || common.count > typed.count else { return nil }
        var line = field
        for _ in 0..<(typed.count + (isQuoted ? 1 : 0)) { line.edit(.deleteBackward) }
        let needsQuotes = isQuoted || common.contains(where: \.isWhitespace)
        line.insert(needsQuotes ? "\"\(common)" : common)
        // Behind a colon there is more to come.
        if words.count == 1, kind != nil { line.insert(needsQuotes ? "\" " : " ") }
        return line
    }
}

extension [String] {
    /// What all texts begin with, as the first of them writes it; empty for none.
    func commonPrefix(where areSame: (Character, Character) -> Bool = (==)) -> String {
        dropFirst().reduce(first ?? "") { common, text in
            String(zip(common, text).prefix(while: areSame).map(\.0))
        }
    }
}
