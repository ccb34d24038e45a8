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

    /// A flag.
    package struct Column: Sendable, Equatable {
        package let key: String
        /// The numbers of its values.
        let numbers: Range<Int>
        /// The number of the value that is used now; `nil` if it is none of them.
        let current: Int?
        /// Whether the flag is on now, as flags that require it need.
        let isOnNow: Bool
        /// The columns of the flags that it requires.
        let required: [Int]
        /// Whether a flag that it requires has no column and is off, so that this flag has to be off.
        let isBlocked: Bool
    }

    /// A value of a flag.
    package struct Value: Sendable, Equatable {
        let column: Int
        package let text: String
        /// Whether the flag is on with it, as flags that require it need.
        let isOn: Bool
    }

    /// The most values that the flags of a matrix may have together.
    package static let valueLimit = 2_000
    /// The most combinations that a matrix may have.
    package static let rowLimit = 100_000

    package let method: Method
    package private(set) var columns: [Column] = []
    /// The values of all flags. The other properties have their numbers.
    package private(set) var values: [Value] = []
    /// The value of each flag in each row; `nil` if the row leaves the flag as it is.
    ///
    /// A flag whose required flags are off has no effect: it is off, or as it is if it cannot be off.
    package private(set) var rows: [[Int?]] = []
    /// The values, and the pairs of values, that no row has, because they break what a flag requires.
    package private(set) var leftOut: [[Int]] = []

    /// Creates the rows; `nil` if there are too many values or combinations.
    ///
    /// - Parameters:
    ///   - flags: the flags, each with ``FlagMatrix/values(of:)``.
    ///   - board: the board that has the values of other flags, which flags may require.
    package init?(_ method: Method, of flags: [FlagFacts], on board: FlagBoard) {
        self.method = method
        let places = Dictionary(flags.indices.map { (FlagText(flags[$0].key), $0) }) { first, _ in first }
        for flag in flags {
            let (start, texts, required) = (values.count, Self.values(of: flag), flag.item?.requires ?? [])
            values += texts.map { Value(column: columns.count, text: $0, isOn: flag.isOn(with: $0)) }
            let column = Column(
                key: flag.key, numbers: start..<values.count,
                current: texts.firstIndex { flag.isSame($0, flag.value) }.map { start + $0 },
                isOnNow: flag.isOn(with: flag.value), required: required.compactMap { places[$0] },
                isBlocked: required.map(board.facts(of:)).contains {
                    places[FlagText($0.key)] == nil && !$0.isOn(with: $0.value)
                })
            columns.append(column)
        }
        guard values.count <= Self.valueLimit else { return nil }
        let unchanged = [Int?](repeating: nil, count: columns.count)
        var candidates = [unchanged]
        switch method {
        case .each:
            for (number, value) in values.enumerated() where number != columns[value.column].current {
                candidates.append(unchanged)
                candidates[candidates.count - 1][value.column] = number
            }
        case .all:
            candidates = [[]]
            for column in columns where candidates.count * column.numbers.count <= Self.rowLimit {
                candidates = candidates.flatMap { row in column.numbers.map { row + [$0] } }
            }
        case .pairwise: candidates = columns.allSatisfy { $0.numbers.count == 2 } ? fewestRowsOfPairs : []
        }
        guard candidates.allSatisfy({ $0.count == columns.count }) else { return nil }
        var seen: Set<[Int?]> = []
        rows = candidates.map(effective).filter { seen.insert($0).inserted }
        var cover = PairCover(columns, values)
        for row in rows { cover.add(row) }
        if method == .pairwise { rows += cover.addMissingRows() }
        leftOut = cover.missing(withPairs: method != .each)
    }

    /// The fewest rows with every pair, if each flag has two values.
    ///
    /// With the first row off and each flag on in a set of its own of ⌈N/2⌉ of the other rows, two sets neither contain
    /// each other nor are disjoint. Kleitman and Spencer, and Katona, proved in 1973 that no fewer rows have every pair.
    private var fewestRowsOfPairs: [[Int?]] {
        var count = 2
        func size() -> Int { (count + 1) / 2 }
        func subsetCount() -> Int { (0..<size()).reduce(1) { $0 * (count - 1 - $1) / ($1 + 1) } }
        while subsetCount() < columns.count { count += 1 }
        var rows = [[Int?]](repeating: columns.map { off($0) ?? $0.numbers.lowerBound }, count: count)
        var subset = Array(1...size())
        for (index, column) in columns.enumerated() {
            for row in subset { rows[row][index] = column.numbers.first { $0 != rows[0][index] } }
            // The next subset in order: the last element that can grow does, and the others follow it closely.
            guard let last = subset.indices.last(where: { subset[$0] < count - size() + $0 }) else { break }
            subset.replaceSubrange(last..., with: (0..<size() - last).map { subset[last] + 1 + $0 })
        }
        return rows
    }

    /// The first value with which a flag is off; `nil` if it is always on.
    private func off(_ column: Column) -> Int? { column.numbers.first { !values[$0].isOn } }

    /// The row with flags off, or as they are, whose required flags are off.
    private func effective(_ candidate: [Int?]) -> [Int?] {
        var row = candidate
        while let index = columns.indices.first(where: { lacksRequired($0, in: row) }) {
            row[index] = off(columns[index])
        }
        return row
    }

    /// Whether a row turns a flag on without the flags that it requires.
    private func lacksRequired(_ index: Int, in row: [Int?]) -> Bool {
        let column = columns[index]
        guard let number = row[index], values[number].isOn else { return false }
        return column.isBlocked
            || column.required.contains { other in
                // Other methods leave a flag as it is only if a flag that it requires is off.
                !(row[other].map { values[$0].isOn } ?? (method == .each && columns[other].isOnNow))
            }
    }

    /// The values that a flag gets: its options, without those that its type does not accept.
    package static func values(of flag: FlagFacts) -> [String] {
        flag.options.map(\.value).filter(flag.type.accepts)
    }

    /// The values that flags have in a row, also of those that it leaves as they are.
    package func allValues(in row: [Int?]) -> [Int] { zip(row, columns).compactMap { $0 ?? $1.current } }

    /// The keys and texts of values, or of those that a row sets.
    package func pairs(_ numbers: [Int?]) -> [(key: String, text: String)] {
        numbers.compactMap { $0 }.map { (columns[values[$0].column].key, values[$0].text) }
    }

    /// Values in words: `a=true, b=false`.
    package func words(of numbers: [Int?]) -> String {
        let words = pairs(numbers).map { "\($0.key)=\($0.text.orQuotes)" }
        return words.isEmpty ? "all flags as they are" : words.joined(separator: ", ")
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
