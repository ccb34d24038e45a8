import FlagModel

/// Sticky rows: flags that were just changed stay where they are until the filter or order changes.
///
/// After turning off the last flag under `is:overridden` the user wants to see that it is off, and may want to turn it
/// on again.
struct KeptFlags: Sendable, Equatable {
    /// The place of a flag before it was changed.
    struct Place: Sendable, Equatable {
        /// Its score for the words of the filter.
        let score: Int
        /// Whether it was under "Overridden".
        let isUnderOverridden: Bool
    }

    private var places: [FlagText: Place] = [:]

    var isEmpty: Bool { places.isEmpty }

    func contains(_ key: FlagText) -> Bool { places[key] != nil }

    /// Makes the row of a flag sticky; a sticky one stays at its first place.
    mutating func keep(_ key: FlagText, at place: Place) {
        if places[key] == nil { places[key] = place }
    }

    /// The flags by their numbers on a board; missing ones are left out.
    func numbers(on board: FlagBoard) -> [Int: Place] {
        guard !places.isEmpty else { return [:] }
        var numbers: [Int: Place] = [:]
        for (key, place) in places {
            if let found = board.place(of: key) { numbers[board.number(found)] = place }
        }
        return numbers
    }
}
