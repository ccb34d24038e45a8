import FlagModel

/// The flags of a bulk action, by their keys.
public struct BulkTargets: Sendable, Equatable {
    /// The flags: the marked ones; else those listed whose text contains the words of the filter.
    public let keys: [String]
    /// Listed flags that only have the letters of the words, scattered: they are skipped unless they are requested.
    public let byLettersOnly: [String]
    /// Whether they were marked.
    let areMarked: Bool
}

extension MenuState {
    /// The current flags for a bulk action.
    var bulkTargets: BulkTargets {
        guard list.marks.isEmpty else {
            return BulkTargets(keys: markedPlaces.map(key), byLettersOnly: [], areMarked: true)
        }
        let listed = listedPlaces
        guard FlagQuery(list.filter.text).isRanked else {
            return BulkTargets(keys: listed.map(key), byLettersOnly: [], areMarked: false)
        }
        let literal = Set((try? board.places(matching: list.filter.text)) ?? [])
        return BulkTargets(
            keys: listed.filter(literal.contains).map(key),
            byLettersOnly: listed.filter { !literal.contains($0) }.map(key), areMarked: false)
    }

    private func key(_ place: FlagBoard.Place) -> String { board.key(at: place).string }

    /// Every listed flag, without duplicates.
    var listedPlaces: [FlagBoard.Place] {
        list.rows.compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }

    /// Every marked flag, in the order of the list; at the end those that are not listed now.
    var markedPlaces: [FlagBoard.Place] {
        guard !list.marks.isEmpty else { return [] }
        var rest = Set(list.marks.keys.compactMap { board.place(of: $0) })
        let listed = listedPlaces.filter { rest.remove($0) != nil }
        return listed + board.places.filter(rest.contains)
    }
}
