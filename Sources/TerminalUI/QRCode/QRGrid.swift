/// The modules of a QR code while it is made (ISO/IEC 18004, sections 6.3, 7.7, 7.9 and 7.10).
struct QRGrid: Sendable, Equatable {
    let size: Int
    private var dark: [Bool]
    /// Whether a module belongs to a pattern, and not to a codeword.
    private var isPattern: [Bool]

    /// The patterns that do not depend on the text.
    init(_ version: QRVersion) {
        size = version.size
        dark = Array(repeating: false, count: size * size)
        isPattern = dark
        for place in 0..<size {
            setPattern(6, place, place % 2 == 0)
            setPattern(place, 6, place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            drawSquares(row, column, radius: 4) { $0 != 2 && $0 != 4 }
        }
        // The corners with finder patterns have no alignment pattern.
        let corners = [[6, 6], [6, size - 7], [size - 7, 6]]
        for row in version.alignments {
            for column in version.alignments where !corners.contains([row, column]) {
                drawSquares(row, column, radius: 2) { $0 != 1 }
            }
        }
        drawFormat(mask: 0)
        if version.number >= 7 { drawVersion(version.number) }
    }

    /// Whether a module is dark. Modules outside the grid are light.
    func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && dark[row * size + column]
    }

    private mutating func setPattern(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        dark[row * size + column] = isDark
        isPattern[row * size + column] = true
    }

    /// Draws squares around a centre.
    ///
    /// - Parameter isDark: whether the square in a distance from the centre is dark.
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int, isDark: (_ distance: Int) -> Bool) {
        for down in -radius...radius {
            for right in -radius...radius { setPattern(row + down, column + right, isDark(max(abs(down), abs(right)))) }
        }
    }

    /// Draws the level of error correction and the mask, twice.
    private mutating func drawFormat(mask: Int) {
        // Level L is 01.
        let bits = Self.withRemainder(0b01 << 3 | mask, by: 0b101_0011_0111, bits: 10) ^ 0b101_0100_0001_0010
        // The timing patterns are in row 6 and column 6.
        let places = Array(0..<6) + [7, 8]
        for bit in 0..<15 {
            let isDark = bits >> bit & 1 == 1
            let (row, column) = bit < 8 ? (places[bit], 8) : (8, places[14 - bit])
            setPattern(row, column, isDark)
            let (secondRow, secondColumn) = bit < 8 ? (8, size - 1 - bit) : (size - 15 + bit, 8)
            setPattern(secondRow, secondColumn, isDark)
        }
        setPattern(size - 8, 8, true)
    }

    /// Draws the number of the version, twice.
    private mutating func drawVersion(_ number: Int) {
        let bits = Self.withRemainder(number, by: 0b1_1111_0010_0101, bits: 12)
        for bit in 0..<18 {
            let (place, other) = (bit / 3, size - 11 + bit % 3)
            setPattern(place, other, bits >> bit & 1 == 1)
            setPattern(other, place, bits >> bit & 1 == 1)
        }
    }

    /// A number followed by the remainder of its division by a polynomial, which corrects errors in it.
    private static func withRemainder(_ number: Int, by divisor: Int, bits: Int) -> Int {
        let remainder = (0..<bits).reduce(number) { rest, _ in rest << 1 ^ (rest >> (bits - 1)) * divisor }
        return number << bits | remainder
    }

    /// Places codewords in pairs of columns from the right, upwards and downwards in turn.
    mutating func place(_ codewords: [UInt8]) {
        var bits = codewords.lazy.flatMap { codeword in (0..<8).reversed().map { codeword >> $0 & 1 == 1 } }
            .makeIterator()
        // Column 6, which has the timing pattern, is skipped.
        let pairs = Array(stride(from: size - 1, to: 6, by: -2)) + Array(stride(from: 5, to: 0, by: -2))
        for (number, right) in pairs.enumerated() {
            for step in 0..<size {
                let row = number % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isPattern[row * size + column] {
                    dark[row * size + column] = bits.next() ?? false
                }
            }
        }
    }

    /// The grid with a mask, which inverts modules so that the code has few patterns that scanners confuse.
    func masked(by mask: Int) -> QRGrid {
        var result = self
        for place in dark.indices where !isPattern[place] && Self.masks[mask](place / size, place % size) {
            result.dark[place].toggle()
        }
        result.drawFormat(mask: mask)
        return result
    }

    /// All rows, and then all columns.
    var lines: [[Bool]] {
        (0..<size).map { row in (0..<size).map { isDark(row, $0) } }
            + (0..<size).map { column in (0..<size).map { isDark($0, column) } }
    }
}
