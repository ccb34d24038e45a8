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

extension MenuState {
    /// The flags that a bulk action would change now: the marked ones or, without marks, the listed ones.
    var bulkTargets: BulkTargets {
        func keys(_ places: [FlagBoard.Place]) -> [String] { places.map { board.key(at: $0).string } }
        guard list.marks.isEmpty else { return BulkTargets(keys: keys(markedPlaces), areMarked: true) }
        let listed = listedPlaces
        guard FlagQuery(list.filter.text).isRanked else {
            return BulkTargets(keys: keys(listed), foldedCount: list.foldedCount)
        }
        let literalMatches = Set((try? board.places(matching: list.filter.text)) ?? [])
        return BulkTargets(
            keys: keys(listed.filter(literalMatches.contains)),
            fuzzyOnly: keys(listed.filter { !literalMatches.contains($0) }))
    }

    /// The listed flags, in list order.
    var listedPlaces: [FlagBoard.Place] {
        list.rows.compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }

    /// The marked flags: first the listed ones, in list order, then the others.
    var markedPlaces: [FlagBoard.Place] {
        guard !list.marks.isEmpty else { return [] }
        var remaining = Set(list.marks.keys.compactMap { board.place(of: $0) })
        let listed = listedPlaces.filter { remaining.remove($0) != nil }
        return listed + board.places.filter(remaining.contains)
    }

    /// Opens the prompt for a value of all marked or listed flags. Suggests options, the most common among the flags
    /// first.
    mutating func promptForValueOfListed() -> [Effect] {
        let targets = bulkTargets
        guard !targets.keys.isEmpty else {
            show(reasonForNoFlags(targets), .rejection)
            return []
        }
        let values = facts(ofKeys: targets.keys).flatMap(\.options).map(\.value)
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        var seen: Set<String> = []
        // Swift's sort is stable, so options with equal counts stay in list order.
        let mostCommon = values.filter { seen.insert($0).inserted }
            .sorted { counts[$0, default: 0] > counts[$1, default: 0] }.prefix(Self.suggestionLimit)
        let total = targets.keys.count.counted("flag")
        return open(
            LinePrompt(
                .value(of: targets),
                suggestions: mostCommon.map { ($0, "an option of \(counts[$0, default: 0]) of \(total)") }))
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

    /// Why there are no marked or listed flags to change; `nil` if there are.
    var listedReason: String? { list.marks.isEmpty && list.flagCount == 0 ? selectionReason : nil }
}
