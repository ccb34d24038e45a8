import TerminalUI

/// The last line: the keys that work now, from the bindings table, as many as fit. Help and the way out always do; then
/// comes what everybody does, then what leads to everything else.
struct FooterView {
    let state: MenuState

    func draw(row: Int, on frame: inout Frame) {
        var column = 1
        for binding in fitting(columns: frame.size.columns - 2) {
            let key = binding.keys[0].displayName(charset: state.charset)
            column = frame.write(key, at: Position(row: row, column: column), style: state.theme.key)
            column =
                frame.write(" \(label(of: binding))", at: Position(row: row, column: column), style: state.theme.faint)
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

    /// Bindings that have a label, work now and do something that is worth the room.
    var working: [Binding] {
        state.keymap.bindings(in: state.mode.context).filter {
            $0.label != nil && !$0.keys.isEmpty && $0.obstacle(state) == nil && isOfUse($0.intent)
        }
    }

    /// Where nothing is overridden there is nothing to show, and hardly anything to undo. What was undone or cleared is no
    /// override either, so the key stays once a change was seen, until an undo finds nothing.
    private func isOfUse(_ intent: Intent) -> Bool {
        switch (state.mode, intent) {
        case (.list, .undo): state.store.knowsOfUndo ?? (state.overrideCount > 0)
        case (.list, .showOverriddenOnly): state.overrideCount > 0 || state.list.showsOverriddenOnly
        default: true
        }
    }

    /// What the key does, in a word or two; of a switch, what it does now.
    private func label(of binding: Binding) -> String {
        if binding.intent == .showOverriddenOnly, state.list.showsOverriddenOnly { return "all" }
        if binding.intent == .cancel, binding.context == .list, state.remote.fetch != nil { return "cancel fetch" }
        return binding.label ?? ""
    }

    private func fitting(columns: Int) -> [Binding] {
        let bindings = working
        var room = columns + 2
        var chosen: [Int] = []
        for rank in 0...Self.ranks.count {
            for (index, binding) in bindings.enumerated() where Self.rank(of: binding.intent) == rank {
                let width = self.width(of: binding)
                guard width <= room else { continue }
                room -= width
                chosen.append(index)
            }
        }
        return chosen.sorted().map { bindings[$0] }
    }

    private func width(of binding: Binding) -> Int {
        let key = binding.keys[0].displayName(charset: state.charset)
        return DisplayText.width(key) + 1 + label(of: binding).count + 2
    }

    /// What has to fit before anything else does.
    private static let ranks: [[Intent]] = [
        [.help, .quit, .cancel], [.toggle, .open, .moveDown], [.clear], [.palette],
        // Where sources are evaluated for somebody, for whom decides about every value in the list.
        [.context],
    ]

    private static func rank(of intent: Intent) -> Int {
        ranks.firstIndex { $0.contains(intent) } ?? ranks.count
    }
}
