extension QRGrid {
    /// The masks (ISO/IEC 18004, table 10): whether a mask inverts the module in a row and a column.
    static let masks: [@Sendable (_ row: Int, _ column: Int) -> Bool] = [
        { row, column in (row + column) % 2 == 0 },
        { row, _ in row % 2 == 0 },
        { _, column in column % 3 == 0 },
        { row, column in (row + column) % 3 == 0 },
        { row, column in (row / 2 + column / 3) % 2 == 0 },
        { row, column in row * column % 2 + row * column % 3 == 0 },
        { row, column in (row * column % 2 + row * column % 3) % 2 == 0 },
        { row, column in ((row + column) % 2 + row * column % 3) % 2 == 0 },
    ]

    /// How hard the code is to scan; the mask with the lowest penalty is used (section 7.8.3).
    var penalty: Int {
        let lines = lines
        return lines.reduce(0) { $0 + Self.runs(in: $1) + Self.finders(in: $1) } + squares(lines) + imbalance(lines)
    }

    /// Five or more modules of one colour in a line.
    private static func runs(in line: [Bool]) -> Int {
        var (points, length) = (0, 1)
        for place in 1...line.count {
            if place < line.count, line[place] == line[place - 1] {
                length += 1
            } else {
                if length >= 5 { points += length - 2 }
                length = 1
            }
        }
        return points
    }

    /// Parts of a line that look like the middle of a finder pattern with four light modules on one side.
    private static func finders(in line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        return (0...line.count - finder.count).reduce(0) { points, start in
            let end = start + finder.count
            guard line[start..<end].elementsEqual(finder) else { return points }
            // The area around the code is light.
            let isBounded =
                !line[max(0, start - 4)..<start].contains(true) || !line[end..<min(line.count, end + 4)].contains(true)
            return isBounded ? points + 40 : points
        }
    }

    /// Squares of four modules of one colour.
    private func squares(_ lines: [[Bool]]) -> Int {
        let rows = lines.prefix(lines.count / 2)
        return zip(rows, rows.dropFirst()).reduce(0) { points, pair in
            let (upper, lower) = pair
            let squares = (1..<upper.count).count { place in
                let color = upper[place]
                return upper[place - 1] == color && lower[place - 1] == color && lower[place] == color
            }
            return points + 3 * squares
        }
    }

    /// A proportion of dark modules that differs from one half, in steps of 5 %.
    private func imbalance(_ lines: [[Bool]]) -> Int {
        // Each module is in a row and in a column.
        let (dark, all) = (lines.reduce(0) { $0 + $1.count { $0 } }, lines.count * lines.count / 2)
        return abs(dark * 2 - all) * 10 / all * 10
    }
}
