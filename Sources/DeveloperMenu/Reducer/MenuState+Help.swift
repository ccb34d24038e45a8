extension MenuState {
    mutating func performInHelp(_ intent: Intent) -> [Effect] {
        guard case .help(var help) = mode else { return [] }
        switch intent {
        case .cancel: return closeSheet()
        case .accept: return run(help)
        case .moveDown: help.move(by: 1)
        case .moveUp: help.move(by: -1)
        default:
            editHelp { _ = $0.edit(intent) }
            return []
        }
        mode = .help(help)
        return []
    }

    mutating func editHelp(_ change: (inout TextField) -> Void) {
        guard case .help(var help) = mode else { return }
        let before = help.filter.text
        change(&help.filter)
        if help.filter.text != before { help.selection = 0 }
        mode = .help(help)
    }

    /// Runs the selected entry as if its key had been pressed in the list.
    private mutating func run(_ help: HelpSheet) -> [Effect] {
        guard help.entries.indices.contains(help.selection) else { return [] }
        let entry = help.entries[help.selection]
        mode = .list
        guard entry.context == .list, let key = entry.keys.first else {
            say("\(entry.keyNames(charset: charset)) works \(entry.context.heading.lowercased()).", .refusal)
            return []
        }
        return reduce(.keyPressed(key))
    }
}
