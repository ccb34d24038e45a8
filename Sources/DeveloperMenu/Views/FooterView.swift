import TerminalUI

/// The last line: the keys of enabled actions, from the table of actions, as many as fit. Help and the key to leave
/// always do; then common actions, then what leads to everything else.
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
            // Two spaces are between hints.
            let region = Region(row: row, column: column, rows: 1, columns: width(of: action) - 2)
            return MouseTarget.Area(region: region, target: .key(action.keys[0]))
        }
    }

    /// Actions that have a label, are enabled and are worth the room.
    private var placed: [Action] {
        state.keymap.actions(in: state.mode.part).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.isOffered(state)
                && ($0.disabledReason(state) == nil || keepsPlace($0))
        }
    }

    /// Whether the place of an action stays empty while it is disabled for the selected flag, such as toggling one
    /// without options: otherwise everything after it would move, and be sent, with the selection. On a small screen
    /// others need the room.
    private func keepsPlace(_ action: Action) -> Bool {
        action.rank == .everyday && action.traits.contains(.isAboutFlag) && state.mode == .list
            && state.selected != nil && state.readOnlyReason == nil && !Layout.isCompact(state.size)
    }

    /// The label of the key, in a word or two; for a switch, its current effect.
    private func label(of action: Action) -> String { action.currentLabel(state) ?? action.label ?? "" }

    private func fitting(columns: Int) -> [Action] {
        let actions = placed
        var room = columns + 2
        var chosen: [Int] = []
        for rank in Action.FooterRank.allCases {
            for (index, action) in actions.enumerated() where action.rank == rank {
                let width = self.width(of: action)
                guard width <= room else { continue }
                room -= width
                chosen.append(index)
            }
        }
        return chosen.sorted().map { actions[$0] }
    }

    private func width(of action: Action) -> Int {
        let key = action.keys[0].displayName(charset: state.charset)
        return DisplayText.width(key) + 1 + label(of: action).count + 2
    }
}
