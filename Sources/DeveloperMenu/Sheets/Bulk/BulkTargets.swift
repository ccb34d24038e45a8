import FlagModel
import FlagQueries

/// The flags that a bulk action changes, by their keys.
struct BulkTargets: Equatable {
    /// The marked flags; if none are marked, the listed flags that contain the words of the filter.
    let keys: [String]
    /// Listed flags that match the filter only by scattered letters. These flags change only if the user switches to
    /// them in the dialog.
    var fuzzyOnly: [String] = []
    /// The number of flags in folded groups, which are left out.
    var foldedCount = 0
    /// Whether ``keys`` are the marked flags rather than listed ones.
    var areMarked = false
}

extension FlagList {
    /// The flags that a bulk action would change now: the marked ones or, without marks, the listed ones.
    var bulkTargets: BulkTargets {
        func keys(_ places: [FlagBoard.Place]) -> [String] { places.map { board.key(at: $0).string } }
        guard marks.isEmpty else { return BulkTargets(keys: keys(markedPlaces), areMarked: true) }
        let listed = listedPlaces
        guard FlagQuery(filter.text).isRanked else {
            return BulkTargets(keys: keys(listed), foldedCount: foldedCount)
        }
        let literalMatches = Set((try? board.places(matching: filter.text)) ?? [])
        return BulkTargets(
            keys: keys(listed.filter(literalMatches.contains)),
            fuzzyOnly: keys(listed.filter { !literalMatches.contains($0) }))
    }
}

extension FlagBoard {
    /// The facts of flags, listed or not.
    func facts(ofKeys keys: [String]) -> [FlagFacts] { keys.map { facts(of: FlagText($0)) } }

    /// The options of flags, the most common first, each with the number of flags that have it.
    fileprivate func commonOptions(ofKeys keys: [String]) -> [(value: String, count: Int)] {
        let values = facts(ofKeys: keys).flatMap { $0.options.map(\.value) }
        var counts = Dictionary(grouping: values) { $0 }.mapValues(\.count)
        // Swift's sort is stable, so options with equal counts stay in list order.
        return values.compactMap { value in counts.removeValue(forKey: value).map { (value, $0) } }
            .sorted { $0.1 > $1.1 }
    }
}

extension MenuState {
    /// Opens the prompt for a value of all marked or listed flags. Suggests options, the most common among the flags
    /// first.
    mutating func promptForValueOfListed() -> [Effect] {
        let targets = list.bulkTargets
        guard !targets.keys.isEmpty else { return show(reasonForNoFlags(targets), .rejection) }
        let total = targets.keys.count.counted("flag")
        let suggestions = board.commonOptions(ofKeys: targets.keys).prefix(Self.suggestionLimit).map { option in
            (option.value, "an option of \(option.count) of \(total)")
        }
        return open(LinePrompt(.value(of: targets), suggestions: suggestions))
    }

    /// The maximum number of suggestions: more than any screen shows.
    private static let suggestionLimit = 20

    /// Why a bulk action would change no flag, as a sentence.
    func reasonForNoFlags(_ targets: BulkTargets) -> String {
        guard !targets.fuzzyOnly.isEmpty else { return "No listed flag is overridden." }
        let mark = keyName(of: "mark")
        let count = targets.fuzzyOnly.count.counted("flag matches", "flags match")
        let words = JSONOutput.quoted(list.filter.text, limit: 40)
        return "No flag contains \(words); \(count) only fuzzily. \(mark) marks flags."
    }
}
