import TerminalUI

/// The last line: the keys of as many enabled actions as fit, chosen by ``Action/FooterRank``.
struct FooterView {
    let state: MenuState

    func draw(row: Int, on frame: inout Frame) {
        var column = 1
        for action in fitting(columns: frame.size.columns - 2) {
            if action.disabledReason(state) == nil {
                let key = action.keys[0].displayName(charset: state.charset)
                let end = frame.write(key, at: Position(row: row, column: column), style: state.theme.key)
                frame.write(" \(label(of: action))", at: Position(row: row, column: end), style: state.theme.faint)
            }
            column += width(of: action)
        }
    }

    /// The area of each hint, for the mouse.
    func areas(row: Int, columns: Int) -> [MouseTarget.Area] {
        var column = 1
        return fitting(columns: columns - 2).compactMap { action in
            defer { column += width(of: action) }
            guard action.disabledReason(state) == nil else { return nil }
            // The area does not include the two spaces after the hint.
            let region = Region(row: row, column: column, rows: 1, columns: width(of: action) - 2)
            return MouseTarget.Area(region: region, target: .key(action.keys[0]))
        }
    }

    /// The actions that get a place in the footer if there is room. Each is offered, has a label and a key, and is
    /// enabled or reserves its place.
    private var candidates: [Action] {
        state.keymap.actions(in: state.mode.part).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.isOffered(state)
                && ($0.disabledReason(state) == nil || keepsPlace($0))
        }
    }

    /// Whether the place of an action stays empty while the action is disabled for the selected flag. Without the empty
    /// place, the following keys would move and be drawn again as the selection moves. On a small screen, other actions
    /// need the room.
    private func keepsPlace(_ action: Action) -> Bool {
        action.rank == .everyday && action.traits.contains(.isAboutFlag) && state.mode == .list
            && state.selected != nil && state.readOnlyReason == nil && !Layout.isCompact(state.size)
    }

    /// The label of an action, in a word or two; for a switch, the effect in the current state.
    private func label(of action: Action) -> String { action.currentLabel(state) ?? action.label ?? "" }

    /// The actions that fit, in the order of the table of actions.
    private func fitting(columns: Int) -> [Action] {
        let actions = candidates
        var room = columns + 2
        var chosenIndices: [Int] = []
        for rank in Action.FooterRank.allCases {
            for (index, action) in actions.enumerated() where action.rank == rank {
                let width = self.width(of: action)
                guard width <= room else { continue }
                room -= width
                chosenIndices.append(index)
            }
        }
        return chosenIndices.sorted().map { actions[$0] }
    }

    private func width(of action: Action) -> Int {
        let key = action.keys[0].displayName(charset: state.charset)
        return DisplayText.width(key) + 1 + label(of: action).count + 2
    }
}
