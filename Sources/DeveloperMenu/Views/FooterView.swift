import TerminalUI

/// The last line: the keys of as many actions that work now as fit, packed to the left and chosen by ``Action/FooterRank``.
struct FooterView {
    let state: MenuState

    /// Whether the footer is visible. A long message covers the last rows of the list, and also the footer if the
    /// message would otherwise hide the selected flag. In the compact layout, any message or filter hint replaces the
    /// footer.
    var isShown: Bool {
        let message = MessageView(state: state)
        return state.layout.messageRow == nil ? !message.hasText : message.rows <= 1 + message.rowsBelowSelection
    }

    func draw(on frame: inout Frame) {
        guard isShown else { return }
        let row = state.layout.footerRow
        for (action, columns) in hints {
            let key = action.keys[0].displayName(charset: state.charset)
            let position = Position(row: row, column: columns.lowerBound)
            let end = frame.write(key, at: position, style: state.theme.key)
            frame.write(" \(label(of: action))", at: Position(row: row, column: end), style: state.theme.faint)
        }
    }

    /// The area of each hint, for the mouse.
    var areas: [MouseTarget.Area] {
        guard isShown else { return [] }
        let row = state.layout.footerRow
        return hints.map { MouseTarget.Area(row: row, columns: $0.columns, .key($0.action.keys[0])) }
    }

    /// The label of an action, in a word or two; for a switch, the effect in the current state.
    private func label(of action: Action) -> String { action.currentLabel(state) ?? action.label ?? "" }

    /// The actions that fit, in the order of the table of actions, each with its columns. Those that work now and have a
    /// label and a key get a place if there is room.
    private var hints: [(action: Action, columns: Range<Int>)] {
        let actions = state.keymap.actions(in: state.part).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.isOffered(state) && $0.disabledReason(state) == nil
        }
        var room = state.size.columns
        var chosenIndices: [Int] = []
        for rank in Action.FooterRank.allCases {
            for (index, action) in actions.enumerated() where action.rank == rank {
                let width = self.width(of: action)
                guard width <= room else { continue }
                room -= width
                chosenIndices.append(index)
            }
        }
        var column = 1
        return chosenIndices.sorted().map { index in
            let width = width(of: actions[index])
            defer { column += width }
            // The two spaces after a hint are not a part of it.
            return (actions[index], column..<column + width - 2)
        }
    }

    private func width(of action: Action) -> Int {
        let key = action.keys[0].displayName(charset: state.charset)
        return DisplayText.width(key) + 1 + label(of: action).count + 2
    }
}
