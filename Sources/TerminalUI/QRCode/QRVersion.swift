/// A size of QR codes, with its numbers for level L of error correction.
struct QRVersion {
    /// From 1 to 20.
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
        QRVersion(number: 11, codewords: 404, blocks: (4, 20), alignments: [6, 30, 54]),
        QRVersion(number: 12, codewords: 466, blocks: (4, 24), alignments: [6, 32, 58]),
        QRVersion(number: 13, codewords: 532, blocks: (4, 26), alignments: [6, 34, 62]),
        QRVersion(number: 14, codewords: 581, blocks: (4, 30), alignments: [6, 26, 46, 66]),
        QRVersion(number: 15, codewords: 655, blocks: (6, 22), alignments: [6, 26, 48, 70]),
        QRVersion(number: 16, codewords: 733, blocks: (6, 24), alignments: [6, 26, 50, 74]),
        QRVersion(number: 17, codewords: 815, blocks: (6, 28), alignments: [6, 30, 54, 78]),
        QRVersion(number: 18, codewords: 901, blocks: (6, 30), alignments: [6, 30, 56, 82]),
        QRVersion(number: 19, codewords: 991, blocks: (7, 28), alignments: [6, 30, 58, 86]),
        QRVersion(number: 20, codewords: 1_085, blocks: (8, 28), alignments: [6, 34, 62, 90]),
    ]
}
