import FlagModel

/// Runs a query on one board, and returns the matching flags with their scores.
///
/// Each condition, then each word, is checked on all flags that still match, so that data for a word is computed once
/// and not for each flag. Flags are numbered by their places.
package struct FlagSearch {
    /// A flag that matches all conditions and words so far, with its score.
    typealias Match = (number: Int, score: Int)

    private let query: FlagQuery
    private let target: SearchTarget
    private let pins: [String]

    init(_ query: FlagQuery, board: FlagBoard, index: SearchIndex, pins: [String]) {
        self.query = query
        self.pins = pins
        target = SearchTarget(board: board, index: index)
    }

    /// Those of the flags with these numbers that match, in the same order.
    func matches(among numbers: some Sequence<Int>) -> [Match] {
        var matches: [Match] = numbers.map { ($0, 0) }
        for condition in query.conditions { keep(condition, in: &matches) }
        for word in query.words where !matches.isEmpty {
            let search = WordSearch(word.content, target: target)
            if word.isExcluded { search.exclude(from: &matches) } else { search.narrow(&matches) }
        }
        return matches
    }

    /// The score of one flag, larger is better; `nil` if the flag does not match.
    package func score(_ number: Int) -> Int? { matches(among: CollectionOfOne(number)).first?.score }

    private func keep(_ condition: FlagQuery.Term<FilterCondition>, in matches: inout [Match]) {
        let isWanted = !condition.isExcluded
        let (target, index) = (target, target.index)
        switch condition.content {
        case .category(let pattern, let isLiteral):
            let categories = CategoryMatch(pattern, isLiteral: isLiteral, on: target.board)
            matches.keep { categories.contains($0, on: target.board) == isWanted }
        case .types(let types):
            matches.keep { types.contains($0 < index.itemCount ? index.types[$0] : .string) == isWanted }
        case .layers(let layers):
            matches.keep { (target.winner($0).map(layers.contains) ?? false) == isWanted }
        case .value(let condition):
            matches.keep { (target.facts($0).value.map(condition.matches) ?? false) == isWanted }
        case .states(let states):
            let pinned = Set(pins.compactMap { target.board.place(of: FlagText($0)) })
            matches.keep { number in
                states.contains { target.isFlag(number, in: $0, pinned: pinned) } == isWanted
            }
        }
    }
}

extension [FlagSearch.Match] {
    /// Removes the flags that do not satisfy a predicate.
    mutating func keep(_ predicate: (Int) -> Bool) { removeAll { !predicate($0.number) } }
}

/// The board to search, with its index. A class, because it is passed on for each of up to 100,000 flags.
final class SearchTarget {
    let board: FlagBoard
    let index: SearchIndex
    /// The numbers of items with a value in a layer above remote. The index does not contain these values.
    private let special: Set<Int>

    init(board: FlagBoard, index: SearchIndex) {
        self.board = board
        self.index = index
        // `overriddenPlaces` lists the flags with overrides, so their layer is skipped here.
        let keys = FlagLayer.aboveRemote.filter { $0 != .override }.flatMap { board.values[$0].keys }
        special = Set(board.overriddenPlaces).union(keys.compactMap { board.catalog.index(of: $0) })
    }

    /// Whether a flag must be looked up in the board because it has a value in a layer above remote or is not in the
    /// catalog.
    func isSpecial(_ number: Int) -> Bool {
        number >= index.itemCount || !special.isEmpty && special.contains(number)
    }

    func facts(_ number: Int) -> FlagFacts { board.facts(at: number) }

    private func key(_ number: Int) -> FlagText { board.key(at: number) }

    /// The layer whose value a flag has; `nil` if no layer has a value.
    func winner(_ number: Int) -> FlagLayer? {
        isSpecial(number) ? facts(number).explanation.winner : index.layers[number]
    }

    /// The value of a flag of type bool in any spelling; `nil` for other flags.
    private func bool(_ number: Int) -> Bool? {
        let facts = facts(number)
        return facts.type == .bool ? facts.value.flatMap(FlagReading.bool) : nil
    }

    /// Whether a flag matches a word after `is:`.
    func isFlag(_ number: Int, in state: FilterCondition.State, pinned: Set<Int>) -> Bool {
        switch state {
        case .remote: winner(number) == .remote
        case .pinned: pinned.contains(number)
        case .expired: board.isExpired(number)
        case .declared: board.snapshot.declared.contains(key(number).string)
        case .undeclared: board.snapshot.isUndeclared(key(number))
        case .missing: board.snapshot.isMissingRemotely(key(number))
        case .mismatched: board.snapshot.mismatches[key(number).string] != nil
        case .on: bool(number) == true
        case .off: bool(number) == false
        case .overridden, .changed, .same, .stale, .invalid:
            isSpecial(number) && facts(number).state.matches(state)
        }
    }
}

/// The categories that match `cat:`: those whose name contains the word. If no name contains the word and the query is
/// not literal, those whose name has the word's letters in order.
private struct CategoryMatch {
    /// Whether each category matches, by its index; the last element is for unlisted flags.
    private let matches: [Bool]

    init(_ pattern: FuzzyPattern, isLiteral: Bool, on board: FlagBoard) {
        let names = board.catalog.categories.map(\.name) + [FlagRows.unlistedHeading]
        let containsWord = names.map(pattern.isContained)
        matches = isLiteral || containsWord.contains(true) ? containsWord : names.map { pattern.score(in: $0) != nil }
    }

    func contains(_ number: Int, on board: FlagBoard) -> Bool {
        number < board.catalog.items.count ? matches[board.catalog.items[number].category] : matches[matches.count - 1]
    }
}
