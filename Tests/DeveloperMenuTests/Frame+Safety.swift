import TerminalUI

extension Frame {
    /// The first cell with a control character, or with a wide character without its second half.
    var unsafeCell: Position? {
        for row in 0..<size.rows {
            // A plain loop, because the tests check millions of cells without optimisation.
            var column = 0
            while column < size.columns {
                let cell = self[row, column]
                let next = column + 1 < size.columns ? self[row, column + 1] : nil
                if cell.isUnsafe || cell.isTorn(before: next) { return Position(row: row, column: column) }
                column += 1
            }
        }
        return nil
    }
}

extension Cell {
    fileprivate var isUnsafe: Bool {
        if let ascii = character.asciiValue { return ascii < 0x20 || ascii > 0x7E }
        return character.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    fileprivate func isTorn(before next: Cell?) -> Bool {
        width == 2 && next?.isContinuation != true
    }
}
