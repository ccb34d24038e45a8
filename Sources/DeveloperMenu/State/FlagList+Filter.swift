import FlagModel
import FlagQueries

// The filter line. A change of the filter selects the best match.
extension FlagList {
    /// The maximum number of characters of a filter: each key press searches every word in every flag.
    static let filterLimit = 200

    /// Whether a filter or "overridden only" is set, which may hide flags.
    public var isNarrowed: Bool { !filter.text.isEmpty || showsChangesOnly }

    /// Types text into the filter line.
    ///
    /// - Returns: whether all of the text fits into the line.
    mutating func typeInFilter(_ text: String) -> Bool {
        var fitsLimit = true
        let replaces = replacesFilter
        changeFilter {
            if replaces { $0 = TextField() }
            fitsLimit = $0.insert(text, limit: Self.filterLimit)
        }
        return fitsLimit
    }

    /// Edits the filter line; the first key that deletes something of a kept filter deletes everything.
    mutating func editFilter(by edit: LineEdit) {
        let deletesAll = replacesFilter && !edit.isMove
        changeFilter { if deletesAll { $0 = TextField() } else { $0.edit(edit) } }
    }

    /// Moves the cursor right or, at the end, completes a condition.
    mutating func completeFilter() {
        replacesFilter = false
        guard filter.cursor == filter.characters.count else { return editFilter(by: .moveRight) }
        if let line = FilterCompletion(self)?.completed(filter) { changeFilter { $0 = line } }
    }

    /// Changes the filter line and rebuilds the list. By default, selects the best match.
    mutating func changeFilter(selectingFirst: Bool = true, _ change: (inout TextField) -> Void) {
        let oldText = filter.text
        change(&filter)
        replacesFilter = false
        guard filter.text != oldText else { return }
        dropStickyRows()
        rebuild(selectingFirst: selectingFirst)
    }

    /// The hint while a filter is typed: the possible words of the condition at the cursor, or the filter's first
    /// error; `nil` if there is neither.
    var filterHint: String? {
        if let completion = FilterCompletion(self), let kind = completion.kind, !completion.words.isEmpty {
            return "\(kind.rawValue): \(completion.words.joined(separator: ", "))"
        }
        return FlagQuery(filter.text).issues.first
    }
}

/// The condition that is being typed at the end of the filter line, and its completions.
struct FilterCompletion {
    /// The condition's prefix; `nil` while the prefix is being typed.
    let kind: FilterCondition.Kind?
    /// The typed part of the prefix or, after a colon, of the word.
    let typed: String
    /// The prefixes or words that begin with ``typed``.
    let words: [String]
    private let isQuoted: Bool

    /// The condition at the cursor; `nil` if no condition is being typed there.
    init?(_ list: FlagList) {
        let field = list.filter
        guard field.cursor == field.characters.count, field.characters.last?.isWhitespace == false,
            let token = FilterToken.tokens(in: field.text).last
        else { return nil }
        kind = token.condition
        typed = token.text
        isQuoted = token.isQuoted
        let start = token.text.lowercased()
        guard let kind else {
            // `typ` can be the start of a condition's prefix, but quoted text cannot.
            let kinds = isQuoted ? [] : FilterCondition.Kind.allCases.map { "\($0.rawValue):" }
            words = kinds.filter { $0.hasPrefix(start) }
            if words.isEmpty { return nil }
            return
        }
        let names = kind.words ?? (kind == .category ? list.board.catalog.categories.map(\.name.string) : [])
        words = names.filter { $0.lowercased().hasPrefix(start) && $0.lowercased() != start }
    }

    /// The line with the typed part completed: to the only candidate, or else to the common prefix of all candidates;
    /// `nil` if nothing can be added.
    func completed(_ field: TextField) -> TextField? {
        let common = words.commonPrefix { $0.lowercased() == $1.lowercased() }
        guard words.count == 1 || common.count > typed.count else { return nil }
        let quote = isQuoted || common.contains(where: \.isWhitespace) ? "\"" : ""
        // Adds a space only after a word, as no space may follow a prefix.
        let end = words.count == 1 && kind != nil ? quote + " " : ""
        var line = field
        line.replace(line.cursor - typed.count - (isQuoted ? 1 : 0)..<line.cursor, with: quote + common + end)
        return line
    }
}

extension [String] {
    /// The common prefix of all texts, spelled as in the first text; empty for an empty array.
    func commonPrefix(where areSame: (Character, Character) -> Bool = (==)) -> String {
        dropFirst().reduce(first ?? "") { common, text in
            String(zip(common, text).prefix(while: areSame).map(\.0))
        }
    }
}
