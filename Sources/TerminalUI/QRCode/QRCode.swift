/// A QR code of a text, such as a link for the camera of a phone (ISO/IEC 18004:2015).
///
/// It has the lowest level of error correction, L: nothing covers or scratches a screen, and a small code fits it.
public struct QRCode: Sendable, Equatable {
    /// The number of modules on each side.
    public var size: Int { grid.size }
    private let grid: QRGrid

    /// The smallest code of a text.
    ///
    /// - Returns: `nil` for a text of more than 271 bytes of UTF-8, whose code is too large for most terminals.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.capacity >= bytes.count }) else { return nil }
        var empty = QRGrid(version)
        empty.place(version.codewords(of: bytes))
        let masked = QRGrid.masks.indices.map { empty.masked(by: $0) }
        // There are eight masks, so there is a best one.
        grid = masked.min { $0.penalty < $1.penalty } ?? empty
    }

    /// Whether a module is dark. Modules outside the code are light.
    public subscript(row: Int, column: Int) -> Bool { grid.isDark(row, column) }
}
