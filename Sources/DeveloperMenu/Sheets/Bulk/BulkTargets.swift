import FlagModel
import FlagQueries

/// The flags that a bulk action changes, by their keys.
public struct BulkTargets: Sendable, Equatable {
    /// The marked flags; if none are marked, the listed flags that contain the words of the filter.
    public let keys: [String]
    /// Listed flags that match the filter only by scattered letters. These flags change only if the user switches to
    /// them in the dialog.
    public let fuzzyOnly: [String]
    /// Whether ``keys`` are the marked flags rather than listed ones.
    let areMarked: Bool
}

extension MenuState {
    /// The flags that a bulk action would change now: the marked ones or, without marks, the listed ones.
    var bulkTargets: BulkTargets {
        guard list.marks.isEmpty else {
            return BulkTargets(keys: markedPlaces.map(key), fuzzyOnly: [], areMarked: true)
        }
        let listed = listedPlaces
        guard FlagQuery(list.filter.text).isRanked else {
            return BulkTargets(keys: listed.map(key), fuzzyOnly: [], areMarked: false)
        }
        let literalMatches = Set((try? board.places(matching: list.filter.text)) ?? [])
        return BulkTargets(
            keys: listed.filter(literalMatches.contains).map(key),
            fuzzyOnly: listed.filter { !literalMatches.contains($0) }.map(key), areMarked: false)
    }

    private func key(_ place: FlagBoard.Place) -> String { board.key(at: place).string }

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
}
