/// The natural order of names: `flag 2` before `flag 10`.
enum NaturalOrder {
    /// Whether a name sorts before another name.
    static func isBefore(_ left: ArraySlice<Letter>, _ right: ArraySlice<Letter>) -> Bool {
        var (left, right) = (left, right)
        while let first = left.first?.scalar, let second = right.first?.scalar {
            if isDigit(first), isDigit(second) {
                let (first, second) = (number(&left), number(&right))
                if first.count != second.count { return first.count < second.count }
                if let (left, right) = zip(first, second).first(where: { $0.scalar != $1.scalar }) {
                    return left.scalar < right.scalar
                }
            } else {
                if first != second { return first < second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        return left.count < right.count
    }

    private static func isDigit(_ scalar: UInt32) -> Bool { scalar &- 0x30 < 10 }

    /// Removes the digits at the start of a name, and returns them without leading zeros.
    private static func number(_ name: inout ArraySlice<Letter>) -> ArraySlice<Letter> {
        let digits = name.prefix { isDigit($0.scalar) }
        name = name[digits.endIndex...]
        return digits.drop { $0.scalar == 0x30 }
    }
}
