import Flags
import TerminalUI

// The screens of the app.
extension Card {
    /// The number of locations in the list.
    static let locationCount = 10

    /// The screen with the location of the shop: a single location, or a list to choose from.
    static func locations(_ content: StageContent, line: Int) -> Card {
        guard content.hasMultipleLocations else {
            return Card(
                title: "Single",
                lines: [
                    .blank, .centered("Single Location", .plain.bold()), .centered("open until 20:00", .plain.dim()),
                    .blank,
                ])
        }
        let lines = (1...locationCount).map { Card.Line.text("Location \($0)", .plain) }
        return Card(title: "Multiple", lines: lines, focus: line, marksFocus: true)
    }

    /// The login screen. The value of a flag sets its texts and colour.
    static func login(_ content: StageContent, _ remote: RemoteStatus, isRoomy: Bool, _ theme: StageTheme) -> Card {
        // The line about the sources, shown while they are requested or if they have failed.
        var lines: [Card.Line] =
            switch remote {
            case .idle, .loaded: []
            case .loading: [.centered("~ Loading...", theme.faint)]
            case .failed: [.centered("! An error occurred; cached values are shown", theme.issue)]
            }
        let screen = content.login
        lines.append(.centered(screen.label.text, theme.title))
        if content.loginVariant == .explainsFirst {
            if isRoomy { lines.append(.blank) }
            lines.append(.centered("So that your cart waits for you.", .plain))
            if isRoomy { lines.append(.centered("You can leave at any time.", .plain)) }
        }
        if isRoomy { lines.append(.blank) }
        lines.append(.button(screen.button.text, screen.button.color.rgb))
        return Card(
            title: "Login \(content.loginVariant.rawValue)", lines: isRoomy ? [.blank] + lines + [.blank] : lines)
    }

    /// The number of items.
    private static let stock = 100
    private static let columnWidth = 18

    /// The number of shown items.
    static func itemCount(_ content: StageContent) -> Int { min(stock, max(0, content.maximumItemCount)) }

    /// The screen with the items of the shop. A flag limits the number of items.
    static func items(_ content: StageContent, line: Int, columns: Int, _ theme: StageTheme) -> Card {
        let count = itemCount(content)
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

    /// The screen with the steps for new users. One step depends on a flag.
    static func onboarding(_ content: StageContent, isRoomy: Bool, _ theme: StageTheme) -> Card {
        var steps = [
            (content.greeting, "Nice that you are here."), ("Choose what you like", "We show more of it."),
        ]
        if content.hasAwesomeFeature { steps.append(("Awesome feature", "New: see everything at once.")) }
        steps.append(("All set", "Have a look around."))
        let lines = steps.enumerated().flatMap { index, step -> [Card.Line] in
            let head = Card.Line.text("\(index + 1)  \(step.0)", theme.title)
            return isRoomy ? [.blank, head, .text("   \(step.1)", theme.faint)] : [head]
        }
        return Card(title: "Onboarding, \(steps.count) steps", lines: isRoomy ? lines + [.blank] : lines)
    }
}
