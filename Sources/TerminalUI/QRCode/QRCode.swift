/// A QR code of a text, such as a link for the camera of a phone (ISO/IEC 18004:2015).
///
/// It has the lowest level of error correction, L: nothing covers or scratches a screen, and a small code fits it.
public struct QRCode: Sendable, Equatable {
    /// The number of modules on each side.
    public var size: Int { grid.size }
    private let grid: QRGrid

    /// No text with more bytes has a code.
    private static let limit = 1_249

    /// The smallest code of a text.
    ///
    /// - Returns: `nil` for a text that needs more than version 20, which has 858 bytes, or 1,249 digits, upper-case
    ///   letters and ` $%*+-./:`. Its code is too large for most terminals.
    public init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.limit + 1))
        let version = QRVersion.all.first { $0.bits(of: bytes).count <= $0.dataCodewords * 8 }
        guard bytes.count <= Self.limit, let version else { return nil }
        var empty = QRGrid(version)
        empty.place(version.codewords(of: bytes))
        let masked = QRGrid.masks.indices.map { empty.masked(by: $0) }
        // There are eight masks, so there is a best one.
        grid = masked.min { $0.penalty < $1.penalty } ?? empty
    }

    /// Whether a module is dark. Modules outside the code are light.
    public subscript(row: Int, column: Int) -> Bool { grid.isDark(row, column) }
}
