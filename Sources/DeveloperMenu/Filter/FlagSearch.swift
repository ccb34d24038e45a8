import FlagModel

/// Runs a query on one board: which flags match, and how well.
///
/// Flags have numbers: the catalog's items first, then unlisted overrides. They are processed condition by condition
/// and word by word, each time all that are left, so that data for a word is fetched a single time and not per flag.
struct FlagSearch {
    private let query: FlagQuery
    private let subject: SearchSubject
    private let pins: [String]

    init(_ query: FlagQuery, board: FlagBoard, index: SearchIndex, pins: [String]) {
        self.query = query
        self.pins = pins
        subject = SearchSubject(board: board, index: index)
    }

    /// The matching flags among some, in the same order.
    func matches(among numbers: some Sequence<Int>) -> Matches {
        var matches = Matches(numbers)
        for condition in query.conditions { keep(condition, in: &matches) }
        for word in query.words where !matches.isEmpty {
            let search = WordSearch(word.content, subject: subject)
            if word.isExcluded { search.exclude(from: &matches) } else { search.narrow(&matches) }
        }
        return matches
    }

    /// The score of one flag, larger is better; `nil` if it does not match.
    func score(_ number: Int) -> Int? { matches(among: CollectionOfOne(number)).scores.first.map(Int.init) }

    private func keep(_ condition: FlagQuery.Term<FilterCondition>, in matches: inout Matches) {
        let isWanted = !condition.isExcluded
        let (subject, index) = (subject, subject.index)
        switch condition.content {
        case .category(let pattern, let isLiteral):
            let categories = CategoryMatch(pattern, isLiteral: isLiteral, on: subject.board)
            matches.keep { categories.holds(for: $0, on: subject.board) == isWanted }
        case .types(let types):
            matches.keep { types.contains($0 < index.itemCount ? index.types[$0] : .string) == isWanted }
        case .layers(let layers):
            matches.keep { (subject.winner($0).map(layers.contains) ?? false) == isWanted }
        case .states(let states):
            let pinned = Set(pins.compactMap { subject.board.place(of: FlagText($0)).map(subject.board.number) })
            matches.keep { number in
                states.contains { subject.isFlag(number, in: $0, pinned: pinned) } == isWanted
            }
        }
    }
}

/// What is searched: a board with its index. An object, as it is passed on for each of 100,000 flags.
final class SearchSubject {
    let board: FlagBoard
    let index: SearchIndex
    /// Items that have more than remote and default values, which must be looked up in the board.
    private let special: Set<Int>

    init(board: FlagBoard, index: SearchIndex) {
        self.board = board
        self.index = index
        // The board has the items of overrides already.
        let keys = Layer.aboveRemote.filter { $0 != .override }.flatMap { board.values[$0].keys }
        special = Set(board.overriddenItems).union(keys.compactMap { board.catalog.index(of: FlagText($0)) })
    }

    @inline(__always)
    func isSpecial(_ number: Int) -> Bool {
        number >= index.itemCount || !special.isEmpty && special.contains(number)
    }

    func facts(_ number: Int) -> FlagFacts { board.facts(at: board.place(number)) }

    /// The layer of a flag's value.
    func winner(_ number: Int) -> Layer? {
        isSpecial(number) ? facts(number).explanation.winner : index.layers[number]
    }

    func isFlag(_ number: Int, in state: FilterCondition.State, pinned: Set<Int>) -> Bool {
        switch state {
        case .remote: winner(number) == .remote
        case .pinned: pinned.contains(number)
        case .expired: board.isExpired(board.place(number))
        case .overridden, .changed, .same, .stale, .invalid:
            isSpecial(number) && facts(number).state.isMeant(by: state)
        }
    }
}

/// The categories that match a condition: those that contain its word as typed, else those that have its letters.
/// Literally, only the former.
private struct CategoryMatch {
    private let matches: [Bool]

    init(_ pattern: FuzzyPattern, isLiteral: Bool, on board: FlagBoard) {
        let names = board.catalog.categories.map(\.name) + [FlagRows.unlistedHeading]
        let runs = names.map(pattern.isContained)
        matches = isLiteral || runs.contains(true) ? runs : names.map { pattern.score(in: $0) != nil }
    }

    func holds(for number: Int, on board: FlagBoard) -> Bool {
        number < board.catalog.items.count ? matches[board.catalog.items[number].category] : matches[matches.count - 1]
    }
}
