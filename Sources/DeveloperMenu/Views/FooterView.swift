import TerminalUI

/// The last line: the keys that work now, from the bindings table, as many as fit; help and the way out always do.
struct FooterView {
    let state: MenuState

    func draw(row: Int, on frame: inout Frame) {
        var column = 1
        for binding in fitting(columns: frame.size.columns - 2) {
            let key = binding.keys[0].displayName(charset: state.charset)
            column = frame.write(key, at: Position(row: row, column: column), style: state.theme.key)
            column =
                frame.write(" \(binding.label ?? "")", at: Position(row: row, column: column), style: state.theme.faint)
                + 2
        }
    }

    /// The key whose hint stands at a column.
    func key(at place: Int, columns: Int) -> KeyPress? {
        var column = 1
        for binding in fitting(columns: columns - 2) {
            let end = column + width(of: binding)
            // Two blanks stand between hints.
            if (column..<end - 2).contains(place) { return binding.keys.first }
            column = end
        }
        return nil
    }

    /// Bindings that have a label and work now.
    var working: [Binding] {
        state.keymap.bindings(in: state.mode.context).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.obstacle(state) == nil
        }
    }

    private func fitting(columns: Int) -> [Binding] {
        let bindings = working
        var room = columns + 2
        var chosen: Set<Int> = []
        for isEssential in [true, false] {
            for (index, binding) in bindings.enumerated() where Self.essential.contains(binding.intent) == isEssential {
                let width = self.width(of: binding)
                guard width <= room else { continue }
                room -= width
                chosen.insert(index)
            }
        }
        return chosen.sorted().map { bindings[$0] }
    }

    private func width(of binding: Binding) -> Int {
        let key = binding.keys[0].displayName(charset: state.charset)
        return DisplayText.width(key) + 1 + (binding.label?.count ?? 0) + 2
    }

    private static let essential: Set<Intent> = [.help, .quit, .cancel]
}
