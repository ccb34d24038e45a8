/// Rows that have every two values of two flags, except those that break what a flag requires.
struct PairCover {
    typealias Choice = FlagMatrix.Choice

    private let columns: [FlagMatrix.Column]
    /// The number of the first value of each column; the values of all columns are numbered.
    private let firstNumbers: [Int]
    private let valueCount: Int
    /// Whether each pair of numbers is missing, the smaller one first. The pair of a number with itself is the value.
    private var isMissing: [Bool]

    init(_ columns: [FlagMatrix.Column]) {
        self.columns = columns
        var (numbers, count) = ([Int](), 0)
        for column in columns {
            numbers.append(count)
            count += column.values.count
        }
        (firstNumbers, valueCount) = (numbers, count)
        isMissing = [Bool](repeating: true, count: count * count)
    }

    /// The fewest rows with every pair, if each flag has two values; `nil` if not.
    ///
    /// With the first row off and each flag on in a set of its own of ⌈N/2⌉ of the other rows, two sets neither contain
    /// each other nor are disjoint. Kleitman and Spencer, and Katona, proved in 1973 that no fewer rows have every pair.
    static func fewestRows(_ columns: [FlagMatrix.Column]) -> [[Int?]]? {
        guard columns.allSatisfy({ $0.values.count == 2 }) else { return nil }
        var count = 2
        while subsetCount(of: count - 1, (count + 1) / 2) < columns.count { count += 1 }
        let off = columns.map { $0.off ?? 0 }
        var rows = [[Int?]](repeating: off, count: count)
        var subset = Array(1...(count + 1) / 2)
        for column in columns.indices {
            for row in subset { rows[row][column] = 1 - off[column] }
            // The next subset in order: the last element that can grow does, and the others follow it closely.
            let size = subset.count
            guard let last = subset.indices.last(where: { subset[$0] < count - size + $0 }) else { break }
            let element = subset[last]
            for place in last..<size { subset[place] = element + 1 + place - last }
        }
        return rows
    }

    /// How many sets of `size` elements a set of `count` elements has.
    private static func subsetCount(of count: Int, _ size: Int) -> Int {
        (0..<size).reduce(1) { $0 * (count - $1) / ($1 + 1) }
    }

    /// Records that a row has its pairs. A flag that the row leaves as it is has the value that is used now.
    mutating func add(_ row: [Int?]) {
        let numbers = columns.indices.compactMap { index in
            (row[index] ?? columns[index].current).map { firstNumbers[index] + $0 }
        }
        for (place, first) in numbers.enumerated() {
            for second in numbers[place...] { isMissing[first * valueCount + second] = false }
        }
    }

    /// The values that no row has, and the pairs of other values that no row has.
    func missing(withPairs: Bool) -> [[Choice]] {
        let choices = self.choices
        let alone = choices.filter { isMissing($0, $0) }
        let present = choices.filter { !isMissing($0, $0) }
        guard withPairs else { return alone.map { [$0] } }
        let pairs = present.flatMap { first in
            present.filter { $0.column > first.column && isMissing(first, $0) }.map { [first, $0] }
        }
        return alone.map { [$0] } + pairs
    }

    /// Returns rows that have the missing pairs, as far as a row can have them, and records that.
    mutating func addMissingRows() -> [[Int?]] {
        var rows: [[Int?]] = []
        let choices = self.choices.sorted { columns[$0.column].values.count > columns[$1.column].values.count }
        let empty = [Int?](repeating: nil, count: columns.count)
        for (place, first) in choices.enumerated() {
            for second in choices[place...] where isMissing(first, second) {
                guard first.column != second.column || first.value == second.value else { continue }
                guard let start = adding(first, to: empty).flatMap({ adding(second, to: $0) }) else { continue }
                let row = bestRow(from: start, turn: rows.count)
                add(row)
                rows.append(row)
            }
        }
        return rows
    }

    private var choices: [Choice] {
        columns.indices.flatMap { column in
            columns[column].values.indices.map { Choice(column: column, value: $0) }
        }
    }

    private func number(_ choice: Choice) -> Int { firstNumbers[choice.column] + choice.value }

    private func isMissing(_ first: Choice, _ second: Choice) -> Bool {
        let (first, second) = (number(first), number(second))
        return isMissing[min(first, second) * valueCount + max(first, second)]
    }

    /// The row with the most missing pairs among rows that were completed in different orders.
    private func bestRow(from start: [Int?], turn: Int) -> [Int?] {
        // Few tries for large matrices, whose rows take long.
        let tries = max(1, min(columns.count, 400_000 / (valueCount * columns.count)))
        let rows = (0..<tries).map { completed(start, turn: turn + $0) }
        let gains = rows.map { row in
            columns.indices.reduce(0) { sum, column in sum + (row[column].map { gain($0, column, in: row) } ?? 0) }
        }
        return rows[gains.indices.max { gains[$0] < gains[$1] } ?? 0]
    }

    /// A row with a value for each other flag: the one with the most missing pairs.
    ///
    /// - Parameter turn: the flag to begin with, and the value that is preferred to equal ones, both modulo their number.
    private func completed(_ start: [Int?], turn: Int) -> [Int?] {
        var row = start
        for index in columns.indices {
            let column = (index + turn) % columns.count
            guard row[column] == nil else { continue }
            let gains = columns[column].values.indices.map { gain($0, column, in: row) }
            // Other values first in the next column, else equal values would meet again and again.
            let values = gains.indices.map { ($0 + turn + column) % gains.count }.sorted { gains[$0] > gains[$1] }
            let next = values.lazy.compactMap { adding(Choice(column: column, value: $0), to: row) }.first
            if let next { row = next }
        }
        return row
    }

    /// How many missing pairs a value has with the other values of a row.
    private func gain(_ value: Int, _ column: Int, in row: [Int?]) -> Int {
        let choice = Choice(column: column, value: value)
        return row.indices.count { other in
            guard other != column, let value = row[other] else { return false }
            return isMissing(choice, Choice(column: other, value: value))
        }
    }

    /// A row with a further value, and with the flags on that it requires; `nil` if the row has one of them off.
    private func adding(_ choice: Choice, to row: [Int?]) -> [Int?]? {
        let column = columns[choice.column]
        if let value = row[choice.column] { return value == choice.value ? row : nil }
        var row = row
        row[choice.column] = choice.value
        guard column.isOn[choice.value] else { return row }
        guard !column.isBlocked else { return nil }
        for required in column.required {
            if let value = row[required] {
                guard columns[required].isOn[value] else { return nil }
                continue
            }
            let isOn = columns[required].isOn
            let values = isOn.indices.filter { isOn[$0] }
            let value = values.max { gain($0, required, in: row) < gain($1, required, in: row) }
            let next = value.flatMap { adding(Choice(column: required, value: $0), to: row) }
            guard let next else { return nil }
            row = next
        }
        return row
    }
}
