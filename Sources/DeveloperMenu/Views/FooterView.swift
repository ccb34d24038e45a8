import TerminalUI

/// The last line: the keys of as many actions that work now as fit, packed to the left and chosen by ``Action/FooterRank``.
struct FooterView {
    let state: MenuState

    func draw(row: Int, on frame: inout Frame) {
        var column = 1
        for action in fitting(columns: frame.size.columns - 2) {
            let key = action.keys[0].displayName(charset: state.charset)
            let end = frame.write(key, at: Position(row: row, column: column), style: state.theme.key)
            frame.write(" \(label(of: action))", at: Position(row: row, column: end), style: state.theme.faint)
            column += width(of: action)
        }
    }

    /// The area of each hint, for the mouse.
    func areas(row: Int, columns: Int) -> [MouseTarget.Area] {
        var column = 1
        return fitting(columns: columns - 2).map { action in
            defer { column += width(of: action) }
            // The area does not include the two spaces after the hint.
            let columns = column..<column + width(of: action) - 2
            return MouseTarget.Area(row: row, columns: columns, .key(action.keys[0]))
        }
    }

    /// The actions that get a place in the footer if there is room: those that work now and have a label and a key.
    private var candidates: [Action] {
        state.keymap.actions(in: state.part).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.isOffered(state) && $0.disabledReason(state) == nil
        }
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
