import TerminalUI

/// The screen with the items of the shop. A flag limits the number of items.
enum ItemsCard {
    /// The number of items.
    static let stock = 100
    private static let columnWidth = 18

    /// The number of shown items.
    static func count(_ content: StageContent) -> Int { min(stock, max(0, content.maximumItemCount)) }

    static func card(_ content: StageContent, line: Int, columns: Int, _ theme: StageTheme) -> Card {
        let count = count(content)
        let title = "Items, \(count) of \(stock)"
        guard count > 0 else {
            return Card(title: title, lines: [.blank, .centered("No items today.", theme.faint), .blank])
        }
        let columnCount = max(1, min(4, (columns - 4) / columnWidth))
        let rowCount = (count + columnCount - 1) / columnCount
        let lines = (0..<rowCount).map { row in
            let cells = stride(from: row, to: count, by: rowCount).map { cell($0 + 1, content.priceFactor) }
            return Card.Line.text(cells.joined(), .plain)
        }
        return Card(title: title, lines: lines, focus: line, columns: columnCount * columnWidth)
    }

    private static func cell(_ number: Int, _ factor: Double) -> String {
        let price = price(of: number, factor)
        let name = "Item \(number)"
        let gap = String(repeating: " ", count: max(1, columnWidth - 3 - name.count - price.count))
        return name + gap + price + "   "
    }

    /// The price of an item with two decimals; `?` if the factor does not give a valid price.
    private static func price(of number: Int, _ factor: Double) -> String {
        let cents = (Double(number % 9 + 1) * 55 * factor).rounded()
        guard cents.isFinite, cents >= 0, cents < 1_000_000 else { return "?" }
        let fraction = Int(cents) % 100
        return "\(Int(cents) / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
