import TerminalUI

/// The screen with the location of the shop: a single location, or a list to choose from.
enum LocationCard {
    /// The number of locations in the list.
    static let count = 10

    static func card(_ content: StageContent, line: Int) -> Card {
        guard content.hasMultipleLocations else {
            return Card(
                title: "Single",
                lines: [
                    .blank, .centered("Single Location", .plain.bold()), .centered("open until 20:00", .plain.dim()),
                    .blank,
                ])
        }
        let lines = (1...count).map { Card.Line.text("Location \($0)", .plain) }
        return Card(title: "Multiple", lines: lines, focus: line, marksFocus: true)
    }
}
