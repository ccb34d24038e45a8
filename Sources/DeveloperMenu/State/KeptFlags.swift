import FlagModel

/// Flags that were changed just now and stay where they are listed until the list is asked for something else.
///
/// Who turns off the last flag under `is:overridden` wants to see that it is off, and may want to turn it on again.
struct KeptFlags: Sendable, Equatable {
    /// Where a flag stood before it was changed.
    struct Place: Sendable, Equatable {
        /// What it was worth to the words of the filter.
        let score: Int
        /// It stood under "Overridden".
        let isUnderOverridden: Bool
    }

    private var places: [FlagText: Place] = [:]

    var isEmpty: Bool { places.isEmpty }

    func contains(_ key: FlagText) -> Bool { places[key] != nil }

    /// Keeps a flag where it is; one that is kept already stays where it was first.
    mutating func keep(_ key: FlagText, at place: Place) {
        if places[key] == nil { places[key] = place }
    }

    /// The flags by their numbers on a board; those that it does not have are left out.
    func numbers(on board: FlagBoard) -> [Int: Place] {
        guard !places.isEmpty else { return [:] }
        var numbers: [Int: Place] = [:]
        for (key, place) in places {
            if let found = board.place(of: key) { numbers[board.number(found)] = place }
        }
        return numbers
    }
}
