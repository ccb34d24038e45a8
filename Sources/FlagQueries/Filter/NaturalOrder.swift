/// The natural order of names: `flag 2` before `flag 10`.
enum NaturalOrder {
    /// Whether a name sorts before another name. Both are UTF-8.
    static func isBefore(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (first, second) = (number(left, &i), number(right, &j))
                if first.count != second.count { return first.count < second.count }
                if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
            } else {
                if left[i] != right[j] { return left[i] < right[j] }
                i += 1
                j += 1
            }
        }
        return left.count - i < right.count - j
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// The digits from an index on, without leading zeros. Moves the index past the digits.
    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Slice<
        UnsafeBufferPointer<UInt8>
    > {
        while index < text.count, text[index] == 0x30 { index += 1 }
        let start = index
        while index < text.count, isDigit(text[index]) { index += 1 }
        return text[start..<index]
    }
}
