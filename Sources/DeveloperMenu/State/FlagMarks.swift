public import FlagModel
import FlagQueries

/// The flags that are marked for a bulk action.
public struct FlagMarks: Sendable, Equatable {
    /// The keys of the marked flags.
    public private(set) var keys: Set<FlagText> = []
    /// The most recently marked key, at which a range begins.
    private(set) var last: FlagText?

    /// Whether no flag is marked.
    public var isEmpty: Bool { keys.isEmpty }

    /// Whether a flag is marked.
    public func contains(_ key: FlagText) -> Bool { keys.contains(key) }

    /// Marks or unmarks a flag.
    mutating func toggle(_ key: FlagText) {
        if keys.remove(key) == nil {
            keys.insert(key)
            last = key
        }
    }

    /// Marks flags. The next range begins at the last of the added keys.
    mutating func add(_ added: [FlagText]) {
        keys.formUnion(added)
        last = added.last ?? last
    }
}

// The flags that an action applies to: while flags are marked, all marked flags, otherwise the selected flag.
extension FlagList {
    /// The listed flags, in list order.
    var listedPlaces: [FlagBoard.Place] { rows.compactMap(\.place) }

    /// The marked flags: first the listed ones, in list order, then the others.
    var markedPlaces: [FlagBoard.Place] {
        guard !marks.isEmpty else { return [] }
        var remaining = Set(marks.keys.compactMap { board.place(of: $0) })
        let listed = listedPlaces.filter { remaining.remove($0) != nil }
        return listed + board.places.filter(remaining.contains)
    }

    /// The marked flags or, without marks, the selected flag.
    var targets: [FlagFacts] {
        marks.isEmpty ? [selected].compactMap { $0 } : markedPlaces.map(board.facts(at:))
    }

    /// The number of marked flags that still exist.
    var markedCount: Int { marks.keys.count { board.place(of: $0) != nil } }

    /// Whether a condition is true for any marked flag. Stops at the first such flag, because the footer calls this for
    /// each frame.
    func hasMarked(where isTrue: (FlagBoard.Place) -> Bool) -> Bool {
        marks.keys.contains { board.place(of: $0).map(isTrue) ?? false }
    }

    /// The edits that toggle the flags.
    var toggles: [OverrideEdit] { targets.compactMap(\.toggled) }

    /// The edits that reset the flags.
    var resets: [OverrideEdit] { targets.filter { $0.override != nil }.map { .clear(key: $0.key) } }

    /// The edits that set the selected flag to the value that it has without an override.
    var keepingEdits: [OverrideEdit] {
        guard let flag = selected, flag.override == nil, let value = flag.valueWithoutOverride else { return [] }
        return [.set(key: flag.key, value: value)]
    }

    /// Marks or unmarks the selected flag, and selects the next flag.
    mutating func markSelected() {
        guard let key = selectedPlace.map(board.key(at:)) else { return }
        marks.toggle(key)
        move(.down)
    }

    /// Marks every flag from the most recently marked flag to the selected flag.
    mutating func markRange() {
        guard let selection else { return }
        let start = marks.last.flatMap(row(of:)) ?? selection
        let range = start <= selection ? Array(start...selection) : Array(selection...start).reversed()
        marks.add(range.compactMap { rows[$0].place.map(board.key(at:)) })
    }
}
