package import FlagModel

/// The flags with sticky rows: after a change, a flag stays at its row until the filter or order changes.
///
/// For example, a user who clears the override of a flag listed by `is:overridden` wants to see the result, and may
/// want to set the flag again.
package struct StickyFlags: Sendable, Equatable {
    /// The place of a flag before it was changed.
    struct Place: Sendable, Equatable {
        /// The flag's score for the words of the filter.
        let score: Int
        /// Whether the flag was under "Overridden".
        let isUnderOverridden: Bool
    }

    private var places: [FlagText: Place] = [:]

    package init() {}

    package var isEmpty: Bool { places.isEmpty }

    package func contains(_ key: FlagText) -> Bool { places[key] != nil }

    /// Makes the row of a flag sticky. If the row is already sticky, its first place is kept.
    package mutating func keep(_ key: FlagText, score: Int, isUnderOverridden: Bool) {
        if places[key] == nil { places[key] = Place(score: score, isUnderOverridden: isUnderOverridden) }
    }

    /// The places by the flags' numbers on a board. Flags that are not on the board are omitted.
    func numbers(on board: FlagBoard) -> [Int: Place] {
        places.reduce(into: [:]) { numbers, entry in
            if let number = board.place(of: entry.key) { numbers[number] = entry.value }
        }
    }
}
