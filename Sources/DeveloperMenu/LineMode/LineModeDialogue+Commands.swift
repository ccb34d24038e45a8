import FlagModel
import TerminalUI

// What can be typed at the prompt of the list, and of a chosen flag.
extension LineModeDialogue {
    /// Commands of line mode only, besides the actions of the list; help begins with them.
    static let ownCommands: [(ways: String, help: String)] = [
        ("a number", "Choose the flag with this number; after that, the option with this number."),
        ("a number and a command", "Run it for that flag, as in 3 x, 3 toggle or 3 = text."),
        ("= and a text", "Set the chosen flag to that text, as in = 42."),
        ("e or edit", "Ask for a value of the chosen flag."),
        ("editor", "Write the value of the chosen flag in your own editor, as EDITOR names it."),
        ("/ and words", "Filter by these words, as in /login."),
        (": and words", "Run the action with this name, as in :use remote."),
        ("? and words", "List the commands with these words."),
        ("more", "List the next flags, as Enter does."), ("list", "List the flags from the first again."),
        ("summary", "Print what is open, its age, and the number of overrides."),
    ]

    mutating func command(_ text: String, _ state: MenuState) -> [LineEvent] {
        guard let first = text.first else { return enter(state) }
        let rest = String(text.dropFirst()).trimmed
        switch first {
        case "/" where !rest.isEmpty:
            awaited = .list
            return [
                .actionChosen(.filter, in: .list), .textWritten(rest), .actionChosen(.accept, in: .filter),
            ]
        case ":" where !rest.isEmpty: return named(rest, state)
        case "?": return help(rest, state)
        case "=": return set(rest, state)
        default: break
        }
        switch text.lowercased() {
        case "more": return more(state)
        case "list": listFromStart(state)
        case "e", "edit": return edit(state)
        case "editor":
            let type = focus.map { state.facts(of: $0).type } ?? .string
            let opening = edit(state)
            return opening.isEmpty ? [] : opening + [.actionChosen(.editOutside, in: Self.editor(of: type))]
        case "summary":
            let summary = LineModeSummary(state: state)
            replies += [summary.line] + summary.problems
        default: return typedNumber(text, state) ?? number(text, state) ?? word(text, state)
        }
        return []
    }

    private mutating func enter(_ state: MenuState) -> [LineEvent] {
        guard focus != nil else { return more(state) }
        focus = nil
        replies.append("Back to the list.")
        return []
    }

    private mutating func more(_ state: MenuState) -> [LineEvent] {
        if told < state.list.flagCount {
            listMore(state)
        } else {
            replies.append("End of the list. list starts again.")
        }
        return []
    }

    private mutating func help(_ words: String, _ state: MenuState) -> [LineEvent] {
        let own = Self.ownCommands.map { "\($0.ways): \($0.help)" }.filter { entry in
            words.lowercased().split(separator: " ").allSatisfy(entry.lowercased().contains)
        }
        let entries = LineModeCommands(state.keymap, in: .list).matching(words).map(LineModeCommands.entry)
        let lines = own + entries
        replies += lines.isEmpty ? ["No command matches. ? lists all."] : lines
        return []
    }

    /// The leading digits choose a flag, or an option of the chosen one; `nil` if there are none.
    private mutating func number(_ text: String, _ state: MenuState) -> [LineEvent]? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let rest = String(text.dropFirst(digits.count)).trimmed
        if focus != nil, rest.isEmpty { return option(number, text, state) }
        guard let key = numbers[number], state.row(of: key) != nil else {
            replies.append("No flag has the number \(number) now. list shows the numbers.")
            return []
        }
        let before = focus
        focus = key
        guard !rest.isEmpty else {
            awaited = .focus
            return [.flagChosen(key)]
        }
        defer { focus = before }
        return [.flagChosen(key)] + (self.number(rest, state) ?? command(rest, state))
    }

    /// A number for a flag without options is its value.
    private mutating func typedNumber(_ text: String, _ state: MenuState) -> [LineEvent]? {
        guard let flag = focus.map(state.facts(of:)), !flag.hasOptionList, [.int, .double].contains(flag.type),
            flag.type.accepts(text)
        else { return nil }
        return set(text, state)
    }

    private mutating func option(_ number: Int, _ text: String, _ state: MenuState) -> [LineEvent] {
        guard let flag = focused(state) else { return [] }
        let choices = OptionList.choices(of: flag)
        guard flag.hasOptionList else {
            replies.append("\(flag.name) has no options. = \(number) sets it to \(number), Enter goes back.")
            return []
        }
        let meant = choices.firstIndex { $0.value == text }
        guard choices.indices.contains(number - 1) else {
            if meant != nil { return set(text, state) }
            replies.append("\(choices.count.thereAre("option")).")
            return []
        }
        if let meant, meant != number - 1 {
            let other = choices[number - 1].value
            replies.append(
                "\(number) is option \(number), \(other), and the value of option \(meant + 1). "
                    + "= \(number) sets \(number), = \(other) sets \(other).")
            return []
        }
        return [.flagChosen(FlagText(flag.key)), .actionChosen(.open, in: .list)]
            + Self.choosing(number, in: .options)
    }

    /// Sets the chosen flag to a text: the matching option, or as if typed in the editor.
    private mutating func set(_ text: String, _ state: MenuState) -> [LineEvent] {
        guard let flag = focused(state) else { return [] }
        let opening: [LineEvent] = [.flagChosen(FlagText(flag.key)), .actionChosen(.open, in: .list)]
        guard flag.hasOptionList else { return opening + Self.storing(text, as: flag.type) }
        let choices = OptionList.choices(of: flag)
        let meant = flag.option(meaning: text)?.value ?? text
        if let index = choices.firstIndex(where: { $0.value == meant }) {
            return opening + Self.choosing(index + 1, in: .options)
        }
        return opening + [.actionChosen(.edit, in: .options)] + Self.storing(text, as: flag.type)
    }

    /// Opens a value in the editor, which needs confirmation if it is not one of the options.
    private mutating func edit(_ state: MenuState) -> [LineEvent] {
        guard let flag = focused(state) else { return [] }
        return [
            .flagChosen(FlagText(flag.key)), .actionChosen(.open, in: .list), .actionChosen(.edit, in: .options),
        ]
    }

    /// The chosen flag, if it is still listed; prints an error otherwise.
    private mutating func focused(_ state: MenuState) -> FlagFacts? {
        guard let focus else {
            replies.append("Which flag? Put its number in front, as in 3 x.")
            return nil
        }
        guard state.row(of: focus) != nil else {
            replies.append("\(state.facts(of: focus).name) is not listed now. list shows the flags.")
            self.focus = nil
            return nil
        }
        return state.facts(of: focus)
    }
}

extension LineModeDialogue {
    private mutating func word(_ text: String, _ state: MenuState) -> [LineEvent] {
        if let key = focus, state.facts(of: key).option(meaning: text)?.value == text { return set(text, state) }
        switch LineModeCommands(state.keymap, in: .list).meaning(of: text) {
        case .action(let action): return ask(for: action, state)
        case .several(let actions): return offer(actions, for: text)
        case .nothing:
            replies.append("There is no command \(text.cited). ? lists all\(focus == nil ? "" : ", = sets a value").")
            return []
        }
    }

    /// Runs what some words name; if they are ambiguous, prints the candidates.
    private mutating func named(_ words: String, _ state: MenuState) -> [LineEvent] {
        let commands = LineModeCommands(state.keymap, in: .list)
        if let action = commands.withoutKey(words) { return ask(for: action, state) }
        if case .action(let action) = commands.meaning(of: words) { return ask(for: action, state) }
        let matching = commands.matching(words)
        guard let first = matching.first else {
            replies.append("No action is named \(words.cited). ? lists all.")
            return []
        }
        return matching.count == 1 ? ask(for: first, state) : offer(matching, for: words)
    }

    private mutating func offer(_ actions: [Action], for text: String) -> [LineEvent] {
        replies.append("\(text.cited) may mean:")
        replies += actions.map(LineModeCommands.entry)
        return []
    }

    private mutating func ask(for action: Action, _ state: MenuState) -> [LineEvent] {
        if action.id == .help { return help("", state) }
        let event = LineEvent.actionChosen(action.id, in: .list)
        if action.traits.contains(.movesSelection) {
            awaited = .selection
            return [event]
        }
        let isAboutMarked = action.traits.contains(.worksOnMarked) && focus == nil && !state.list.marks.isEmpty
        guard action.traits.contains(.isAboutFlag), !isAboutMarked else { return [event] }
        guard let flag = focused(state) else { return [] }
        return [.flagChosen(FlagText(flag.key)), event]
    }
}
