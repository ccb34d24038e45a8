import FlagModel
import TerminalUI

// The commands at the prompts of the list and of a chosen flag.
extension LineModeSession {
    /// The commands that only line mode has, in addition to the actions of the list. Help lists these commands first.
    static let specialCommands: [(ways: String, help: String)] = [
        ("a number", "Choose the flag with this number; after that, the option with this number."),
        ("a number and a command", "Run it for that flag, as in 3 x, 3 toggle or 3 = text."),
        ("= and a text", "Set the chosen flag to that text, as in = 42."),
        ("edit", "Ask for a value of the chosen flag."),
        ("editor", "Edit the value of the chosen flag in $EDITOR."),
        ("/ and words", "Filter by these words, as in /login."),
        (": and words", "Run the action with this name, as in :use remote."),
        ("? and words", "List the commands with these words."),
        ("more", "List the next flags, as Enter does."), ("list", "List the flags from the first again."),
        ("summary", "Print what is open, its age, and the number of overrides."),
    ]

    /// Runs a typed command, and returns its events for the reducer.
    mutating func command(_ text: String, _ state: MenuState) -> [LineEvent] {
        guard let first = text.first else { return enter(state) }
        let argument = String(text.dropFirst()).trimmed
        switch first {
        case "/" where !argument.isEmpty:
            awaited = .list
            return [.actionChosen(.filter, in: .list), .textWritten(argument), .actionChosen(.accept, in: .filter)]
        case ":" where !argument.isEmpty:
            let meaning = LineModeCommands(state.keymap, in: .list).meaning(ofName: argument)
            return run(meaning, of: argument, state, orReply: "No action is named \(argument.cited). ? lists all.")
        case "?": return help(argument, state)
        case "=": return set(argument, state)
        default: break
        }
        // Only a shared state is so long a word.
        if text.contains(/\bfm1[0-9A-Za-z]{12}|\bFM1:[0-9A-Z $%*+.\/:\-]{12}/) { return [.pasted(text)] }
        switch text.lowercased() {
        case "more": return more(state)
        case "list": return listFromStart(state)
        case "edit": return edit(state)
        case "editor":
            let type = focus.map { state.facts(of: $0).type } ?? .string
            let opening = edit(state)
            return opening.isEmpty ? [] : opening + [.actionChosen(.editOutside, in: Self.editor(of: type))]
        case "summary": return reply(LineModeSummary(state: state).lines)
        default: return typedNumber(text, state) ?? number(text, state) ?? word(text, state)
        }
    }

    private mutating func enter(_ state: MenuState) -> [LineEvent] {
        guard focus != nil else { return more(state) }
        focus = nil
        return reply(["Back to the list."])
    }

    private mutating func more(_ state: MenuState) -> [LineEvent] {
        guard numbered.count < state.list.flagCount else { return reply(["End of the list. Type list to start over."]) }
        return listMore(state)
    }

    private mutating func help(_ words: String, _ state: MenuState) -> [LineEvent] {
        let specialEntries = Self.specialCommands.map { "\($0.ways): \($0.help)" }.filter { entry in
            words.lowercased().split(separator: " ").allSatisfy(entry.lowercased().contains)
        }
        let entries = LineModeCommands(state.keymap, in: .list).matching(words).map(LineModeCommands.entry)
        let lines = specialEntries + entries
        return reply(lines.isEmpty ? ["No command matches. ? lists all."] : lines)
    }

    /// The events for a text that begins with a number: the number of a flag, or of an option of the chosen flag. `nil`
    /// for any other text.
    private mutating func number(_ text: String, _ state: MenuState) -> [LineEvent]? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let command = String(text.dropFirst(digits.count)).trimmed
        if focus != nil, command.isEmpty { return option(number, text, state) }
        let key = numbered.indices.contains(number - 1) ? numbered[number - 1] : nil
        guard let key, state.list.row(of: key) != nil else {
            return reply(["No flag has the number \(number) now. list shows the numbers."])
        }
        let oldFocus = focus
        focus = key
        guard !command.isEmpty else {
            awaited = .focus
            return [.flagChosen(key)]
        }
        defer { focus = oldFocus }
        return [.flagChosen(key)] + (self.number(command, state) ?? self.command(command, state))
    }

    /// The events for a number typed as the value of the chosen flag, if the flag has no options; `nil` for any other
    /// text.
    private mutating func typedNumber(_ text: String, _ state: MenuState) -> [LineEvent]? {
        guard let flag = focus.map(state.facts(of:)), !flag.hasChoice, [.int, .double].contains(flag.type),
            flag.type.accepts(text)
        else { return nil }
        return set(text, state)
    }

    /// The events to choose an option by its number. If the text is also the value of another option, prints how to
    /// choose each of the two.
    private mutating func option(_ number: Int, _ text: String, _ state: MenuState) -> [LineEvent] {
        guard let flag = focused(state) else { return [] }
        let choices = flag.choices
        guard flag.hasChoice else {
            return reply(["\(flag.name) has no options. = \(number) sets it to \(number), Enter goes back."])
        }
        let valueIndex = choices.firstIndex { $0.value == text }
        guard choices.indices.contains(number - 1) else {
            if valueIndex != nil { return set(text, state) }
            return reply(["\(choices.count.thereAre("option"))."])
        }
        if let valueIndex, valueIndex != number - 1 {
            let numberedValue = choices[number - 1].value
            return reply([
                "\(number) is option \(number), \(numberedValue), and the value of option \(valueIndex + 1). "
                    + "= \(number) sets \(number), = \(numberedValue) sets \(numberedValue)."
            ])
        }
        return Self.opening(flag) + Self.choosing(number, in: OptionList.part)
    }

    /// The events to set the chosen flag to a text: by the option with this value, otherwise by the editor.
    private mutating func set(_ text: String, _ state: MenuState) -> [LineEvent] {
        guard let flag = focused(state) else { return [] }
        let opening = Self.opening(flag)
        guard flag.hasChoice else { return opening + Self.storing(text, as: flag.type) }
        let value = flag.option(meaning: text)?.value ?? text
        if let index = flag.choices.firstIndex(where: { $0.value == value }) {
            return opening + Self.choosing(index + 1, in: OptionList.part)
        }
        return opening + [.actionChosen(.edit, in: OptionList.part)] + Self.storing(text, as: flag.type)
    }

    /// The events to open the chosen flag in the editor.
    private mutating func edit(_ state: MenuState) -> [LineEvent] {
        focused(state).map { Self.opening($0) + [.actionChosen(.edit, in: OptionList.part)] } ?? []
    }

    /// The events to open a flag.
    private static func opening(_ flag: FlagFacts) -> [LineEvent] {
        [.flagChosen(FlagText(flag.key)), .actionChosen(.open, in: .list)]
    }

    /// The chosen flag; if no flag is chosen or it is no longer listed, prints an error and returns `nil`.
    private mutating func focused(_ state: MenuState) -> FlagFacts? {
        guard let focus else {
            replies.append("Which flag? Put its number in front, as in 3 i.")
            return nil
        }
        guard state.list.row(of: focus) != nil else {
            replies.append("\(state.facts(of: focus).name) is not listed now. list shows the flags.")
            self.focus = nil
            return nil
        }
        return state.facts(of: focus)
    }

    /// The events for a text that is not a number: an option of the chosen flag, or a command.
    private mutating func word(_ text: String, _ state: MenuState) -> [LineEvent] {
        if let key = focus, state.facts(of: key).option(meaning: text)?.value == text { return set(text, state) }
        let help = "\(text.cited) is not a command. ? lists all\(focus == nil ? "" : ", = sets a value")."
        return run(LineModeCommands(state.keymap, in: .list).meaning(of: text), of: text, state, orReply: help)
    }

    /// Runs the action that a text means. If the text may mean several, prints them.
    private mutating func run(
        _ meaning: LineModeCommands.Meaning, of text: String, _ state: MenuState, orReply sentence: String
    ) -> [LineEvent] {
        switch meaning {
        case .action(let action): perform(for: action, state)
        case .several(let actions): reply(["\(text.cited) may mean:"] + actions.map(LineModeCommands.entry))
        case .nothing: reply([sentence])
        }
    }

    private mutating func perform(for action: Action, _ state: MenuState) -> [LineEvent] {
        if action.id == .help { return help("", state) }
        let event = LineEvent.actionChosen(action.id, in: .list)
        if action.traits.contains(.movesSelection) {
            awaited = .selection
            return [event]
        }
        let appliesToMarked = action.traits.contains(.worksOnMarked) && focus == nil && !state.list.marks.isEmpty
        guard action.traits.contains(.isAboutFlag), !appliesToMarked else { return [event] }
        // Its sheet also copies what is about all changes.
        if action.id == .copy, focus == nil { return [event] }
        guard let flag = focused(state) else { return [] }
        return [.flagChosen(FlagText(flag.key)), event]
    }
}
