/// Rows that have every two values of two flags, except those that break what a flag requires.
struct PairCover {
    private let columns: [FlagMatrix.Column]
    private let values: [FlagMatrix.Value]
    /// Whether no row has two values, by their numbers, the smaller one first; and whether no row has a value, by its
    /// number twice.
    private var isMissing: [Bool]

    init(_ columns: [FlagMatrix.Column], _ values: [FlagMatrix.Value]) {
        (self.columns, self.values) = (columns, values)
        isMissing = [Bool](repeating: true, count: values.count * values.count)
    }

    private func isMissing(_ first: Int, _ second: Int) -> Bool {
        isMissing[min(first, second) * values.count + max(first, second)]
    }

    /// Records that a row has its pairs. A flag that the row leaves as it is has the value that is used now.
    mutating func add(_ row: [Int?]) {
        let numbers = zip(row, columns).compactMap { $0 ?? $1.current }
        for (place, first) in numbers.enumerated() {
            for second in numbers[place...] { isMissing[first * values.count + second] = false }
        }
    }

    /// The values that no row has, and the pairs of other values that no row has.
    func missing(withPairs: Bool) -> [[Int]] {
        let alone = values.indices.filter { isMissing($0, $0) }.map { [$0] }
        guard withPairs else { return alone }
        let present = values.indices.filter { !isMissing($0, $0) }
        return alone
            + present.flatMap { first in
                present.filter { values[$0].column > values[first].column && isMissing(first, $0) }.map { [first, $0] }
            }
    }

    /// Returns rows that have the missing pairs, as far as a row can have them, and records that.
    mutating func addMissingRows() -> [[Int?]] {
        var rows: [[Int?]] = []
        func optionCount(_ number: Int) -> Int { columns[values[number].column].numbers.count }
        let numbers = values.indices.sorted { optionCount($0) > optionCount($1) }
        for (place, first) in numbers.enumerated() {
            for second in numbers[place...] where isMissing(first, second) {
                let empty = [Int?](repeating: nil, count: columns.count)
                guard let start = adding(first, to: empty).flatMap({ adding(second, to: $0) }) else { continue }
                let row = bestRow(from: start, turn: rows.count)
                add(row)
                rows.append(row)
            }
        }
        return rows
    }

    /// The row with the most missing pairs among rows that were completed in different orders.
    private func bestRow(from start: [Int?], turn: Int) -> [Int?] {
        // Few tries for large matrices, whose rows take long.
        let tries = max(1, min(columns.count, 400_000 / (values.count * columns.count)))
        let rows = (0..<tries).map { completed(start, turn: turn + $0) }
        let gains = rows.map { row in row.reduce(0) { $0 + ($1.map { gain($0, in: row) } ?? 0) } }
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
            let numbers = columns[column].numbers
            let gains = numbers.map { gain($0, in: row) }
            // Other values first in the next column, else equal values would meet again and again.
            let places = gains.indices.map { ($0 + turn + column) % gains.count }.sorted { gains[$0] > gains[$1] }
            row = places.lazy.compactMap { adding(numbers.lowerBound + $0, to: row) }.first ?? row
        }
        return row
    }

    /// How many missing pairs a value has with the values of a row.
    private func gain(_ number: Int, in row: [Int?]) -> Int {
        row.count { other in other.map { isMissing(number, $0) } ?? false }
    }

    /// A row with a further value, and with the flags on that it requires; `nil` if the row has one of them off.
    private func adding(_ number: Int, to row: [Int?]) -> [Int?]? {
        let (value, column) = (values[number], columns[values[number].column])
        if let old = row[value.column] { return old == number ? row : nil }
        var row = row
        row[value.column] = number
        guard value.isOn else { return row }
        guard !column.isBlocked else { return nil }
        for required in column.required where row[required].map({ values[$0].isOn }) != true {
            let on = columns[required].numbers.filter { values[$0].isOn }
            let best = on.max { gain($0, in: row) < gain($1, in: row) }
            guard let next = best.flatMap({ adding($0, to: row) }) else { return nil }
            row = next
        }
        return row
    }
}
