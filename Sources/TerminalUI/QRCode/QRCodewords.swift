// The codewords of a text (ISO/IEC 18004, sections 7.4 to 7.6).
extension QRVersion {
    /// The codewords of a text in their order in the grid: data, then error correction, each interleaved by blocks.
    func codewords(of text: [UInt8]) -> [UInt8] {
        let blocks = dataBlocks(data(of: text))
        return interleaved(blocks)
            + interleaved(blocks.map { ReedSolomon.corrections(for: $0, count: self.blocks.corrections) })
    }

    /// The mode, the length and the text as bits: in the alphanumeric mode, which has two characters in eleven bits, if
    /// it has all characters of the text, else in the byte mode (sections 7.3 and 7.4, table 3).
    func bits(of text: [UInt8]) -> [Bool] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
        let digits = text.compactMap(Self.alphanumeric.firstIndex(of:))
        guard digits.count == text.count, !text.isEmpty else {
            append(0b0100, 4)
            append(text.count, number < 10 ? 8 : 16)
            for byte in text { append(Int(byte), 8) }
            return bits
        }
        append(0b0010, 4)
        append(text.count, number < 10 ? 9 : 11)
        for start in stride(from: 0, to: digits.count, by: 2) {
            if start + 1 < digits.count {
                append(digits[start] * 45 + digits[start + 1], 11)
            } else {
                append(digits[start], 6)
            }
        }
        return bits
    }

    /// The characters of the alphanumeric mode, each at the place of its value (table 5).
    private static let alphanumeric = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// The bits of a text, a terminator and padding.
    private func data(of text: [UInt8]) -> [UInt8] {
        let bits = (bits(of: text) + [false, false, false, false]).prefix(dataCodewords * 8)
        let data = stride(from: 0, to: bits.count, by: 8).map { start in
            (start..<start + 8).reduce(UInt8(0)) { $0 << 1 | ($1 < bits.count && bits[$1] ? 1 : 0) }
        }
        let padding: [UInt8] = [0b1110_1100, 0b0001_0001]
        return data + (data.count..<dataCodewords).map { padding[($0 - data.count) % 2] }
    }

    /// Divides data into blocks, of which the last ones may be longer by one codeword.
    private func dataBlocks(_ data: [UInt8]) -> [ArraySlice<UInt8>] {
        let (short, longBlocks) = data.count.quotientAndRemainder(dividingBy: blocks.count)
        var rest = data[...]
        return (0..<blocks.count).map { number in
            let block = rest.prefix(number < blocks.count - longBlocks ? short : short + 1)
            rest = rest.dropFirst(block.count)
            return block
        }
    }

    /// The first codeword of each block, then the second of each, and so on.
    private func interleaved(_ blocks: [some Collection<UInt8>]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { place in blocks.compactMap { $0.dropFirst(place).first } }
    }
}

/// The error correction of QR codes, with bytes as polynomials modulo x⁸ + x⁴ + x³ + x² + 1.
private enum ReedSolomon {
    /// The remainder of the data, as a polynomial, divided by (x - 2⁰)(x - 2¹)…, with `count` factors.
    static func corrections(for data: ArraySlice<UInt8>, count: Int) -> [UInt8] {
        let divisor = divisor(degree: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for place in 0..<count { remainder[place] ^= product(divisor[place], factor) }
        }
        return remainder
    }

    /// The factors of the divisor from the highest power down, without its first one, which is 1.
    private static func divisor(degree: Int) -> [UInt8] {
        var (factors, root) = ([UInt8](repeating: 0, count: degree - 1) + [1], UInt8(1))
        for _ in 0..<degree {
            for place in 0..<degree {
                factors[place] = product(factors[place], root) ^ (place + 1 < degree ? factors[place + 1] : 0)
            }
            root = product(root, 2)
        }
        return factors
    }

    private static func product(_ one: UInt8, _ two: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(0) { product, bit in
            (product << 1) ^ (product >> 7 == 1 ? 0x1D : 0) ^ (two >> bit & 1 == 1 ? one : 0)
        }
    }
}
