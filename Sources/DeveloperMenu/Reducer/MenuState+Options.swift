import FlagModel
import TerminalUI

extension MenuState {
    mutating func performInOptions(_ intent: Intent) -> [Effect] {
        guard case .options(var options) = mode else { return [] }
        let flag = facts(of: options.key)
        let choices = OptionList.choices(of: flag)
        let index = options.selectedIndex(in: choices)
        switch intent {
        case .accept where choices.indices.contains(index): return choose(choices[index].value, of: flag)
        case .useRemote:
            mode = .list
            return save([.clear(key: flag.key)], label: "clear \(flag.key)")
        case .edit:
            mode = .editor(ValueEditor(flag))
            return []
        default:
            guard let target = intent.index(after: index, of: choices.count) else { return closeSheet() }
            options.move(to: target, in: choices)
            mode = .options(options)
            return []
        }
    }

    /// A digit chooses at once; among numbers it only goes there, as whoever types 100 does not mean the first option.
    mutating func pickOption(_ key: KeyPress) -> [Effect] {
        guard case .options(var options) = mode else { return [] }
        let flag = facts(of: options.key)
        let choices = OptionList.choices(of: flag)
        guard case .character(let character) = key, let number = character.wholeNumberValue, number > 0 else {
            return []
        }
        guard number <= choices.count else {
            say("\(choices.count.thereAre("option")).", .refusal)
            return []
        }
        guard flag.type == .int || flag.type == .double else { return choose(choices[number - 1].value, of: flag) }
        options.move(to: number - 1, in: choices)
        mode = .options(options)
        say("\(keyName(of: .accept, in: .options)) chooses \(choices[number - 1].value).")
        return []
    }

    private mutating func choose(_ value: String, of flag: FlagFacts) -> [Effect] {
        mode = .list
        if let base = flag.base, flag.isSame(value, base.value?.string) {
            say("Set to what \(base.layer.word) says: it stays when \(base.layer.word) changes.")
        }
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// The flag that an open sheet is about, wherever it is listed now, or when it is listed no more.
    func facts(of key: FlagText) -> FlagFacts { board.facts(of: key) }

    /// The flag that a key press is about: the one of the sheet while one is open, which need not be the selected one when
    /// flags come and go behind it.
    var flagAtHand: FlagFacts? {
        switch mode {
        case .options(let options): facts(of: options.key)
        case .explanation(let sheet): facts(of: sheet.key)
        default: selected
        }
    }

    /// An option list whose flag has no options any more has nothing to offer; an editor keeps what is typed.
    mutating func closeEmptyOptionList() {
        guard case .options(let options) = mode, !facts(of: options.key).hasOptionList else { return }
        mode = .list
        say("\(options.key.string) has no options any more.", .refusal)
    }

    mutating func closeSheet() -> [Effect] {
        mode = .list
        return []
    }
}
