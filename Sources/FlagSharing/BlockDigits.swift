/// Bytes as digits of a base, in blocks: each block is a number, whose least significant digit comes first.
struct BlockDigits: Sendable {
    /// The ASCII character of each digit.
    let characters: [UInt8]
    /// How many bytes a block has; the last one may have fewer.
    private let blockSize: Int
    /// How many digits a block of each number of bytes has. The numbers differ, so the bytes follow from the digits.
    private let digitCounts: [Int]
    /// The digit of each ASCII character.
    private let values: [Int?]

    init(_ characters: String, blockSize: Int) {
        let digits = Array(characters.utf8)
        (self.characters, self.blockSize) = (digits, blockSize)
        values = (0..<128).map { character in digits.firstIndex(of: UInt8(character)) }
        digitCounts = (0...blockSize).map { count in
            var (greatest, digitCount) = ([UInt8](repeating: .max, count: count), 0)
            while greatest.contains(where: { $0 > 0 }) {
                _ = Self.divide(&greatest, by: digits.count)
                digitCount += 1
            }
            return digitCount
        }
    }

    func contains(_ character: UInt8) -> Bool { value(of: character) != nil }

    func value(of character: UInt8) -> Int? { character < 128 ? values[Int(character)] : nil }

    func encoded(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: blockSize).flatMap { start in
            var block = Array(bytes[start..<min(start + blockSize, bytes.count)])
            return (0..<digitCounts[block.count]).map { _ in
                characters[Self.divide(&block, by: characters.count)]
            }
        }
    }

    /// The bytes of digits; `nil` if no bytes have them.
    func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        let digitCount = digitCounts[blockSize]
        for start in stride(from: text.startIndex, to: text.endIndex, by: digitCount) {
            let digits = text[start..<min(start + digitCount, text.endIndex)]
            guard let count = digitCounts.firstIndex(of: digits.count) else { return nil }
            var block = [UInt8](repeating: 0, count: count)
            for digit in digits.reversed() {
                guard var carry = value(of: digit) else { return nil }
                for place in block.indices.reversed() {
                    carry += Int(block[place]) * characters.count
                    block[place] = UInt8(truncatingIfNeeded: carry)
                    carry >>= 8
                }
                guard carry == 0 else { return nil }
            }
            bytes += block
        }
        return bytes
    }

    /// Divides a number, whose most significant byte is first, and returns the remainder.
    private static func divide(_ number: inout [UInt8], by base: Int) -> Int {
        var remainder = 0
        for place in number.indices {
            remainder = remainder << 8 | Int(number[place])
            number[place] = UInt8(remainder / base)
            remainder %= base
        }
        return remainder
    }
}
