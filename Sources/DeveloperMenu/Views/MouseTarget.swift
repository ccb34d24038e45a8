import FlagQueries
import TerminalUI

/// The target of a mouse press.
enum MouseTarget: Sendable, Equatable {
    /// A flag, or another row that can be selected, by its row in the list. `isSwitch` is true if the marker or the
    /// value is pressed, as such a press toggles the flag.
    case flag(row: Int, isSwitch: Bool)
    /// The heading of a group, by its row in the list.
    case group(row: Int)
    /// An entry of the open sheet, by its index.
    case entry(Int)
    /// A key hint in the footer.
    case key(KeyPress)

    /// An area of the screen, with its target.
    struct Area: Sendable, Equatable {
        let region: Region
        let target: MouseTarget

        init(row: Int, columns: Range<Int>, _ target: MouseTarget) {
            region = Region(row: row, column: columns.lowerBound, rows: 1, columns: columns.count)
            self.target = target
        }
    }
}

extension MenuState {
    /// The target at a position of the mouse; `nil` if there is none. If two areas overlap, the first counts.
    func mouseTarget(at position: Position) -> MouseTarget? {
        let areas = mode.sheet?.mouseTargets(in: self) ?? ListView(self, in: layout.list).areas
        return (FooterView(state: self).areas + areas).first {
            $0.region.rowRange.contains(position.row) && $0.region.columnRange.contains(position.column)
        }?.target
    }
}

extension ListView {
    /// The areas of the rows.
    fileprivate var areas: [MouseTarget.Area] {
        let list = state.list
        return zip(region.rowRange, list.rows.indices.dropFirst(list.top)).flatMap { line, row -> [MouseTarget.Area] in
            func area(_ columns: Range<Int>, _ target: MouseTarget) -> MouseTarget.Area {
                let start = region.column + columns.lowerBound
                return MouseTarget.Area(row: line, columns: start..<start + columns.count, target)
            }
            let whole = 0..<region.columns
            switch list.rows[row] {
            case .gap: return []
            case .header, .folded: return list.canFold ? [area(whole, .group(row: row))] : []
            case .flag, .part:
                let toggle = MouseTarget.flag(row: row, isSwitch: true)
                return [
                    area(0..<ListColumns.nameStart - 1, toggle), area(valueColumns, toggle),
                    area(whole, .flag(row: row, isSwitch: false)),
                ]
            }
        }
    }
}
