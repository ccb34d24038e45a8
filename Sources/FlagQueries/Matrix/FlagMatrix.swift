package import FlagModel

/// Combinations of the values of some flags, for `flagmenu matrix`.
package struct FlagMatrix: Sendable, Equatable {
    /// Which combinations a matrix has.
    package enum Method: String, Sendable {
        /// One value of one flag in each row, and the other flags as they are.
        case each
        /// Every two values of two flags in at least one row.
        case pairwise
        /// Every combination.
        case all
    }

    /// A flag, and the values that it gets.
    package struct Column: Sendable, Equatable {
        package let key: String
        package let values: [String]
        /// The index of the value that is used now; `nil` if it is none of ``values``.
        let current: Int?
        /// Whether the flag is on with each value, as flags that require it need.
        let isOn: [Bool]
        /// Whether the flag is on now.
        let isOnNow: Bool
        /// The columns of the flags that it requires.
        let required: [Int]
        /// Whether a flag that it requires has no column and is off, so that this flag has to be off.
        let isBlocked: Bool

        /// The index of the first value that is off; `nil` if the flag is on with every value.
        var off: Int? { isOn.firstIndex(of: false) }
    }

    /// A value of a flag, by indexes.
    package struct Choice: Sendable, Hashable {
        package let column: Int
        package let value: Int
    }

    /// The most values that the flags of a matrix may have together.
    package static let valueLimit = 2_000
    /// The most combinations that a matrix may have.
    package static let rowLimit = 100_000

    package let method: Method
    package let columns: [Column]
    /// The index of the value of each flag in each row; `nil` if the row leaves the flag as it is.
    ///
    /// A flag whose required flags are off has no effect: it is off, or as it is if it cannot be off.
    package private(set) var rows: [[Int?]] = []
    /// The values, and the pairs of values, that no row has, because they break what a flag requires.
    package private(set) var leftOut: [[Choice]] = []

    /// Creates the rows; `nil` if there are too many values or combinations.
    ///
    /// - Parameters:
    ///   - flags: the flags, each with ``FlagMatrix/values(of:)``.
    ///   - board: the board that has the values of other flags, which flags may require.
    package init?(_ method: Method, of flags: [FlagFacts], on board: FlagBoard) {
        self.method = method
        let places = Dictionary(flags.indices.map { (FlagText(flags[$0].key), $0) }) { first, _ in first }
        columns = flags.map { flag in
            let values = Self.values(of: flag)
            let required = flag.item?.requires ?? []
            return Column(
                key: flag.key, values: values, current: values.firstIndex { flag.isSame($0, flag.value) },
                isOn: values.map { flag.isOn(with: $0) }, isOnNow: flag.isOn(with: flag.value),
                required: required.compactMap { places[$0] },
                isBlocked: required.map(board.facts(of:)).contains {
                    places[FlagText($0.key)] == nil && !$0.isOn(with: $0.value)
                })
        }
        let counts = columns.map(\.values.count)
        guard counts.reduce(0, +) <= Self.valueLimit else { return nil }
        // Without the limit, the number of combinations may be larger than an Int.
        if method == .all, counts.reduce(1, { min($0 * $1, Self.rowLimit + 1) }) > Self.rowLimit { return nil }
        let unchanged = [Int?](repeating: nil, count: columns.count)
        var candidates = [unchanged]
        switch method {
        case .each:
            for (index, column) in columns.enumerated() {
                for value in column.values.indices where value != column.current {
                    candidates.append(unchanged)
                    candidates[candidates.count - 1][index] = value
                }
            }
        case .all:
            for (index, column) in columns.enumerated() {
                candidates = candidates.flatMap { row in
                    column.values.indices.map { value in
                        var row = row
                        row[index] = value
                        return row
                    }
                }
            }
        case .pairwise: candidates = PairCover.fewestRows(columns) ?? []
        }
        var seen: Set<[Int?]> = []
        rows = candidates.map(effective).filter { seen.insert($0).inserted }
        var cover = PairCover(columns)
        for row in rows { cover.add(row) }
        if method == .pairwise { rows += cover.addMissingRows() }
        leftOut = cover.missing(withPairs: method != .each)
    }

    /// The row with flags off, or as they are, whose required flags are off.
    private func effective(_ candidate: [Int?]) -> [Int?] {
        var row = candidate
        while let index = columns.indices.first(where: { lacksRequired($0, in: row) }) {
            row[index] = columns[index].off
        }
        return row
    }

    /// Whether a row turns a flag on without the flags that it requires.
    private func lacksRequired(_ index: Int, in row: [Int?]) -> Bool {
        let column = columns[index]
        guard let value = row[index], column.isOn[value] else { return false }
        return column.isBlocked
            || column.required.contains { other in
                // Other methods leave a flag as it is only if a flag that it requires is off.
                !(row[other].map { columns[other].isOn[$0] } ?? (method == .each && columns[other].isOnNow))
            }
    }

    /// The values that a flag gets: its options, without those that its type does not accept.
    package static func values(of flag: FlagFacts) -> [String] {
        flag.options.map(\.value).filter(flag.type.accepts)
    }
}

extension FlagMatrix {
    /// The values that a row sets.
    package func setChoices(in row: [Int?]) -> [Choice] {
        columns.indices.compactMap { column in row[column].map { Choice(column: column, value: $0) } }
    }

    /// The values that flags have in a row, also of those that it leaves as they are.
    package func choices(in row: [Int?]) -> [Choice] {
        setChoices(in: zip(row, columns).map { $0 ?? $1.current })
    }

    /// The text of a value.
    package func value(of choice: Choice) -> String { columns[choice.column].values[choice.value] }

    /// Values in words: `a=true, b=false`.
    package func words(of choices: [Choice]) -> String {
        let words = choices.map { "\(columns[$0.column].key)=\(value(of: $0).orQuotes)" }
        return words.isEmpty ? "all flags as they are" : words.joined(separator: ", ")
    }

    /// The values that a row sets in words.
    package func words(ofRow index: Int) -> String { words(of: setChoices(in: rows[index])) }

    /// The changes for a row: those of the tester, and the values that the row sets.
    package func changes(ofRow index: Int, over table: OverrideTable) -> OverrideTable {
        var table = table
        table.overrides = table.overrides.applying(
            setChoices(in: rows[index]).map { .set(key: columns[$0.column].key, value: value(of: $0)) })
        return table
    }
}

extension FlagFacts {
    /// Whether a value turns the flag on, as flags that require it need: the value of a bool is true, or the value of
    /// another type is not empty.
    package func isOn(with value: String?) -> Bool {
        guard let value, !value.isEmpty else { return false }
        return type == .bool ? FlagReading.bool(value) == true : true
    }
}
