import TerminalUI

/// A movement in a list or in a scrolling text.
enum Movement: String, Sendable, CaseIterable {
    case up = "moveUp"
    case down = "moveDown"
    case pageUp, pageDown
    case first = "moveToFirst"
    case last = "moveToLast"

    /// The index after the movement, within the `count` lines.
    ///
    /// - Parameter page: the number of lines in a page.
    func index(after index: Int, of count: Int, page: Int = 1) -> Int {
        let target =
            switch self {
            case .up: index - 1
            case .down: index + 1
            case .pageUp: index - page
            case .pageDown: index + page
            case .first: 0
            case .last: count - 1
            }
        return max(0, min(target, count - 1))
    }

    /// The id of the action that performs the movement, the same in every part of the menu.
    var id: Action.ID { Action.ID(rawValue: rawValue) }
}

extension Action {
    /// An action that performs a movement in the open part of the menu.
    static func moving(
        _ movement: Movement, _ keys: [KeyPress], label: String? = nil, help: String, _ traits: Traits = [],
        disabledReason: @escaping @Sendable (MenuState) -> String? = { _ in nil }
    ) -> Action {
        Action(
            movement.id, keys, label: label, help: help, traits, rank: movement == .down ? .everyday : .other,
            disabledReason: disabledReason
        ) { $0.move(movement) }
    }
}
