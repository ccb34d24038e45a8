import FlagModel

/// Runs a query on one board, and returns the matching flags with their scores.
///
/// Each condition, then each word, is checked on all flags that still match, so that data for a word is computed once
/// and not for each flag. Flags are numbered by their places.
package final class FlagSearch {
    /// A flag that matches all conditions and words so far, with its score.
    typealias Match = (number: Int, score: Int)

    private let query: FlagQuery
    let board: FlagBoard
    let index: SearchIndex
    private let pins: [String]
    /// The numbers of items with a value in a layer above remote. The index does not contain these values.
    private let special: Set<Int>

    init(_ query: FlagQuery, board: FlagBoard, index: SearchIndex, pins: [String]) {
        self.query = query
        self.board = board
        self.index = index
        self.pins = pins
        // `overriddenPlaces` lists the flags with overrides, so their layer is skipped here.
        let keys = FlagLayer.aboveRemote.filter { $0 != .override }.flatMap { board.values[$0].keys }
        special = Set(board.overriddenPlaces).union(keys.compactMap { board.catalog.index(of: $0) })
    }

    /// Those of the flags with these numbers that match, in the same order.
    func matches(among numbers: some Sequence<Int>) -> [Match] {
        var matches: [Match] = numbers.map { ($0, 0) }
        for condition in query.conditions { keep(condition, in: &matches) }
        for word in query.words where !matches.isEmpty {
            var search = WordSearch(word.content, in: self)
            if word.isExcluded { search.exclude(from: &matches) } else { search.narrow(&matches) }
        }
        return matches
    }

    /// The score of one flag, larger is better; `nil` if the flag does not match.
    package func score(_ number: Int) -> Int? { matches(among: CollectionOfOne(number)).first?.score }

    private func keep(_ condition: FlagQuery.Term<FilterCondition>, in matches: inout [Match]) {
        let isWanted = !condition.isExcluded
        switch condition.content {
        case .category(let pattern, let isLiteral):
            let categories = matchingCategories(pattern, isLiteral: isLiteral)
            matches.keep { categories.contains(board.item(at: $0)?.category) == isWanted }
        case .types(let types):
            matches.keep { types.contains($0 < index.itemCount ? index.types[$0] : .string) == isWanted }
        case .layers(let layers):
            matches.keep { (winner($0).map(layers.contains) ?? false) == isWanted }
        case .value(let condition):
            matches.keep { (board.facts(at: $0).value.map(condition.matches) ?? false) == isWanted }
        case .states(let states):
            let pinned = Set(pins.compactMap { board.place(of: FlagText($0)) })
            matches.keep { number in states.contains { isFlag(number, in: $0, pinned: pinned) } == isWanted }
        }
    }

    /// The categories that match `cat:`, by their indices; `nil` is that of unlisted flags. They are those whose name
    /// contains the word. If no name contains the word and the query is not literal, those whose name has the word's
    /// letters in order.
    private func matchingCategories(_ pattern: FuzzyPattern, isLiteral: Bool) -> Set<Int?> {
        var names: [(index: Int?, name: FlagText)] = board.catalog.categories.enumerated().map { ($0, $1.name) }
        names.append((nil, FlagRows.unlistedHeading))
        let containing = names.filter { pattern.isContained(in: $0.name) }
        let isContained = isLiteral || !containing.isEmpty
        return Set((isContained ? containing : names.filter { pattern.score(in: $0.name) != nil }).map(\.index))
    }

    /// Whether a flag must be looked up in the board because it has a value in a layer above remote or is not in the
    /// catalog.
    func isSpecial(_ number: Int) -> Bool {
        number >= index.itemCount || !special.isEmpty && special.contains(number)
    }

    /// The layer whose value a flag has; `nil` if no layer has a value.
    func winner(_ number: Int) -> FlagLayer? {
        isSpecial(number) ? board.facts(at: number).explanation.winner : index.layers[number]
    }

    /// The value of a flag of type bool in any spelling; `nil` for other flags.
    private func bool(_ number: Int) -> Bool? {
        let facts = board.facts(at: number)
        return facts.type == .bool ? facts.value.flatMap(FlagReading.bool) : nil
    }

    /// Whether a flag matches a word after `is:`.
    private func isFlag(_ number: Int, in state: FilterCondition.State, pinned: Set<Int>) -> Bool {
        var overrideState: OverrideState { isSpecial(number) ? board.facts(at: number).state : .notSet }
        return switch state {
        case .remote: winner(number) == .remote
        case .pinned: pinned.contains(number)
        case .expired: board.isExpired(number)
        case .declared: board.snapshot.declared.contains(board.key(at: number).string)
        case .undeclared: board.snapshot.isUndeclared(board.key(at: number))
        case .missing: board.snapshot.isMissingRemotely(board.key(at: number))
        case .mismatched: board.snapshot.mismatches[board.key(at: number).string] != nil
        case .on: bool(number) == true
        case .off: bool(number) == false
        case .overridden, .changed: overrideState != .notSet
        case .same: overrideState == .sameAsRemote
        case .stale: overrideState.isStale
        case .invalid: if case .invalid = overrideState { true } else { false }
        }
    }
}

extension [FlagSearch.Match] {
    /// Removes the flags that do not satisfy a predicate.
    mutating func keep(_ predicate: (Int) -> Bool) { removeAll { !predicate($0.number) } }
}
