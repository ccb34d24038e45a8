import FlagModel
import TerminalUI

extension MenuPart {
    /// The option list of one flag.
    public static let options = MenuPart(id: "options", heading: "In an option list", opener: .open)
}

extension OptionList: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.options, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(
            .accept, [.enter, " "], label: "choose", help: "Choose the option; 1 to 9 choose by number.",
            .changesValues
        ) { $0.acceptOption() },
        Action(
            .useRemote, ["x", .delete, .backspace], label: "use remote", help: "Clear the override.", .changesValues,
            disabledReason: \.clearReason
        ) { $0.clearFromOptions() },
        Action(
            .edit, ["e"], label: "other value", help: "Write another value; asks if it is not an option.",
            disabledReason: \.otherValueReason
        ) { $0.editOtherValue() },
        Action(
            "setForTeam", ["t"], label: "for the team", help: "Set the option for the team; asks.", .changesValues,
            isOffered: { $0.team != nil }, disabledReason: \.setForTeamReason
        ) { $0.setOptionForTeam() },
        Action(
            .cancel, [.escape, "q"], label: "back", help: "Close the list and change nothing.", .isWayOut, rank: .always
        ) { $0.closeSheet() },
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next option."),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous option."),
        .moving(.first, [.home, "g"], help: "Move to the first option."),
        .moving(.last, [.end, "G"], help: "Move to the last option."),
    ]

    var part: MenuPart { .options }
    var mode: MenuState.Mode { .options(self) }
    var flagKey: FlagText? { key }

    mutating func move(_ movement: Movement, in state: MenuState) {
        let choices = Self.choices(of: state.facts(of: key))
        move(to: movement.index(after: selectedIndex(in: choices), of: choices.count), in: choices)
    }

    /// Chooses the option with the number of the typed digit. If the options are numbers, the digit only selects the
    /// option, as the user may mean the value 100 by typing 1.
    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        let flag = state.facts(of: self.key)
        let choices = Self.choices(of: flag)
        guard case .character(let character) = key, let number = character.wholeNumberValue, number > 0 else {
            return []
        }
        guard number <= choices.count else {
            state.show("\(choices.count.thereAre("option")).", .rejection)
            return []
        }
        guard flag.type == .int || flag.type == .double else {
            return state.choose(choices[number - 1].value, of: flag)
        }
        state.changeSheet(OptionList.self) { $0.move(to: number - 1, in: choices) }
        state.show("\(state.keyName(of: .accept, in: .options)) chooses \(choices[number - 1].value).")
        return []
    }
}

extension MenuState {
    /// The flag of the open option list, and the selected option.
    var selectedOption: (flag: FlagFacts, value: String)? {
        guard let options = sheet(OptionList.self) else { return nil }
        let flag = facts(of: options.key)
        let choices = OptionList.choices(of: flag)
        let index = options.selectedIndex(in: choices)
        return choices.indices.contains(index) ? (flag, choices[index].value) : nil
    }

    /// Chooses the selected option.
    fileprivate mutating func acceptOption() -> [Effect] {
        guard let option = selectedOption else { return closeSheet() }
        return choose(option.value, of: option.flag)
    }

    fileprivate mutating func setOptionForTeam() -> [Effect] {
        guard let option = selectedOption else { return [] }
        return confirmSetForTeam(option.flag, to: option.value)
    }

    fileprivate mutating func clearFromOptions() -> [Effect] {
        guard let key = sheet(OptionList.self)?.key.string else { return [] }
        mode = .list
        return save([.clear(key: key)], label: "clear \(key)")
    }

    fileprivate mutating func editOtherValue() -> [Effect] {
        guard let options = sheet(OptionList.self) else { return [] }
        mode = .editor(ValueEditor(facts(of: options.key)))
        return []
    }

    /// Handles a click on an option: the first click selects the option, the second chooses it.
    mutating func press(onOption index: Int) -> [Effect] {
        guard let options = sheet(OptionList.self) else { return [] }
        let choices = OptionList.choices(of: facts(of: options.key))
        if options.selectedIndex(in: choices) == index { return choose(.accept, in: .options) }
        changeSheet(OptionList.self) { $0.move(to: index, in: choices) }
        return []
    }

    /// Sets the flag to an option and closes the list.
    fileprivate mutating func choose(_ value: String, of flag: FlagFacts) -> [Effect] {
        if flag.override == nil, flag.alreadyHas(value) { return closeUnchanged(flag) }
        mode = .list
        if let base = flag.base, flag.isSame(value, base.value?.string) {
            show("Set to the \(base.layer.word) value; the override stays if \(base.layer.word) changes.")
        }
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// The facts of a flag, listed or not.
    func facts(of key: FlagText) -> FlagFacts { board.facts(of: key) }

    /// Why the user cannot enter a value that is not one of the options, as a sentence; `nil` if the user can.
    fileprivate var otherValueReason: String? {
        guard let options = sheet(OptionList.self) else { return nil }
        let flag = facts(of: options.key)
        return flag.hasOtherValues ? nil : "\(flag.name) is true or false; there is no other value."
    }

    /// Closes the open option list if its flag no longer has options. An open editor stays open, with its text.
    mutating func closeEmptyOptionList() {
        guard let options = sheet(OptionList.self), !facts(of: options.key).hasChoice else { return }
        mode = .list
        show("\(options.key.string) no longer has options.", .rejection)
    }
}

extension FlagFacts {
    /// Whether values besides the options are possible; `false` for a bool if `true` and `false` are options.
    var hasOtherValues: Bool {
        guard type == .bool else { return true }
        return Set(options.compactMap { FlagReading.bool($0.value) }).count < 2
    }
}
