import TerminalUI

/// What lies under the mouse.
enum MouseTarget: Equatable {
    case nothing
    /// A flag by its row in the list, and whether its marker or its value is meant, which switch it.
    case flag(row: Int, isSwitch: Bool)
    /// An option of the open list.
    case option(Int)
    /// A hint of the footer.
    case key(KeyPress)
}

extension MenuState {
    /// What is drawn at a position that a press can be about.
    func target(at position: Position) -> MouseTarget {
        let layout = Layout(self)
        if position.row == layout.footerRow {
            let isFooterShown = layout.messageRow != nil || message == nil
            let key = isFooterShown ? FooterView(state: self).key(at: position.column, columns: size.columns) : nil
            return key.map(MouseTarget.key) ?? .nothing
        }
        switch mode {
        case .list, .filter: return flagTarget(at: position, in: layout)
        case .options(let options):
            let view = OptionListView(state: self, options: options, facts: facts(of: options.key))
            return view.choice(at: position).map(MouseTarget.option) ?? .nothing
        default: return .nothing
        }
    }

    private func flagTarget(at position: Position, in layout: Layout) -> MouseTarget {
        let region = layout.list
        let column = position.column - region.column
        guard region.rowRange.contains(position.row), (0..<region.columns).contains(column) else { return .nothing }
        let row = list.top + position.row - region.row
        guard list.rows.indices.contains(row), list.rows[row].isFlag else { return .nothing }
        let view = ListView(self, in: region, besideDetail: layout.detail != nil)
        return .flag(row: row, isSwitch: column < ListView.nameColumn - 1 || view.valueColumns.contains(column))
    }
}
