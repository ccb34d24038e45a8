import FlagModel
import TerminalUI

// Help and the palette: the bindings table, from which somebody chooses.
extension MenuState {
    mutating func performInActions(_ intent: Intent) -> [Effect] {
        guard var sheet = actionSheet else { return [] }
        switch intent {
        case .cancel: return close(sheet)
        case .accept: return runSelected(sheet)
        case .copyCommand:
            let text = commandOfSelectedAction.flatMap { ShellCommand.text($0) }
            return text.map { [.copy(id: makeRequestID(), $0, what: "command")] } ?? []
        case .moveDown, .moveUp, .pageDown, .pageUp:
            let page = max(1, Layout(self).listHeight - 4)
            let selection = intent.index(after: sheet.selection, of: sheet.entries.count, page: page)
            sheet.selection = selection ?? sheet.selection
        default:
            editActionFilter { _ = $0.edit(intent) }
            return []
        }
        show(sheet)
        return []
    }

    /// The open sheet of actions.
    var actionSheet: ActionSheet? {
        switch mode {
        case .help(let sheet), .palette(let sheet): sheet
        default: nil
        }
    }

    mutating func editActionFilter(_ change: (inout TextField) -> Void) {
        guard var sheet = actionSheet else { return }
        let before = sheet.filter.text
        change(&sheet.filter)
        if sheet.filter.text != before {
            sheet.selection = 0
            sheet.find()
        }
        show(sheet)
    }

    private mutating func show(_ sheet: ActionSheet) {
        mode = mode.context == .help ? .help(sheet) : .palette(sheet)
    }

    private mutating func close(_ sheet: ActionSheet) -> [Effect] {
        mode = sheet.behind
        // What the sheet behind is about may have gone meanwhile.
        closeEmptyOptionList()
        return []
    }

    /// Runs the selected entry as if its key had been pressed where somebody came from; an entry of another part of the
    /// menu opens that part.
    private mutating func runSelected(_ sheet: ActionSheet) -> [Effect] {
        guard let entry = sheet.selected(in: keymap) else { return [] }
        _ = close(sheet)
        if entry.context == mode.context { return run(entry) }
        guard mode == .list || mode == .filter else {
            say("\(keyNames(of: entry)) works \(entry.context.place). First close this sheet.", .refusal)
            return []
        }
        mode = .list
        guard let opener = entry.context.opener else { return run(entry) }
        guard let binding = keymap.binding(of: opener, in: .list) else { return [] }
        let effects = run(binding)
        if mode.context == entry.context {
            say("\(keyNames(of: entry)) here: \(entry.help)")
        } else if message == nil {
            say("\(keyNames(of: entry)) works \(entry.context.place).", .refusal)
        }
        return effects
    }

    private func keyNames(of entry: Binding) -> String {
        entry.keyNames(charset: charset, palette: keyName(of: .palette))
    }

    /// Why an entry of the sheet does nothing now, seen from where somebody came from.
    func obstacle(to entry: Binding, of sheet: ActionSheet) -> String? {
        var state = self
        state.mode = sheet.behind
        return entry.context == sheet.behind.context || entry.context == .list ? entry.obstacle(state) : nil
    }

    /// The commands that do what the selected entry does.
    var commandOfSelectedAction: [ShellCommand]? {
        guard let entry = actionSheet?.selected(in: keymap), entry.context == .list else { return nil }
        let commands = commands(for: entry.intent)
        return commands.isEmpty ? nil : commands
    }

    /// Why there is no command to copy for the selected entry.
    var commandObstacle: String? {
        guard actionSheet?.selected(in: keymap) != nil else { return "No entry is selected." }
        guard let commands = commandOfSelectedAction else {
            return "There is no command for what only this screen has."
        }
        return ShellCommand.text(commands) == nil ? Self.unspeakable : nil
    }

    /// No shell passes on a word with the character NUL.
    static let unspeakable = "A word of the command holds the character NUL, which no shell passes on."
}

extension Binding.Context {
    /// The heading inside of a sentence, such as `in the list`.
    var place: String { heading.decapitalized }
}
