/// A size of QR codes, with its numbers for level L of error correction.
struct QRVersion {
    /// From 1 to 10.
    let number: Int
    /// How many codewords the modules have room for (ISO/IEC 18004, table 1).
    let codewords: Int
    /// How many blocks the codewords are divided into, and how many codewords of each are for error correction (table 9).
    let blocks: (count: Int, corrections: Int)
    /// The rows, and columns, of the centres of the alignment patterns (annex E).
    let alignments: [Int]

    /// The number of modules on each side.
    var size: Int { 17 + 4 * number }
    /// How many codewords are left for data.
    var dataCodewords: Int { codewords - blocks.count * blocks.corrections }
    /// How many bytes give the length of the text (table 3).
    var lengthBytes: Int { number < 10 ? 1 : 2 }
    /// How many bytes a text can have. Four bits before the length and four bits at the end take one byte.
    var capacity: Int { dataCodewords - lengthBytes - 1 }

    static let all = [
        QRVersion(number: 1, codewords: 26, blocks: (1, 7), alignments: []),
        QRVersion(number: 2, codewords: 44, blocks: (1, 10), alignments: [6, 18]),
        QRVersion(number: 3, codewords: 70, blocks: (1, 15), alignments: [6, 22]),
        QRVersion(number: 4, codewords: 100, blocks: (1, 20), alignments: [6, 26]),
        QRVersion(number: 5, codewords: 134, blocks: (1, 26), alignments: [6, 30]),
        QRVersion(number: 6, codewords: 172, blocks: (2, 18), alignments: [6, 34]),
        QRVersion(number: 7, codewords: 196, blocks: (2, 20), alignments: [6, 22, 38]),
        QRVersion(number: 8, codewords: 242, blocks: (2, 24), alignments: [6, 24, 42]),
        QRVersion(number: 9, codewords: 292, blocks: (2, 30), alignments: [6, 26, 46]),
        QRVersion(number: 10, codewords: 346, blocks: (4, 18), alignments: [6, 28, 50]),
    ]
}
