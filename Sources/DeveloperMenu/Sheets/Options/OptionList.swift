import FlagModel
import FlagQueries
import TerminalUI

/// The option list of one flag, drawn over the list of flags.
struct OptionList: Equatable {
    let key: FlagText
    /// The index of the selected choice.
    var selection = 0
    /// The value that the user has moved to; it stays selected when flags change. Until then, the selection follows the
    /// value in use, so that Enter changes nothing.
    private var movedTo: String?

    /// The option list of a flag, with the value in use selected.
    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        reselect(facts)
    }

    private mutating func reselect(_ facts: FlagFacts) {
        let inUse = facts.choices.firstIndex { facts.isSame($0.value, facts.value) }
        selection = facts.choices.firstIndex { $0.value == movedTo } ?? inUse ?? 0
    }
}

extension OptionList: ListSheet {
    static let part = MenuPart(id: "options", heading: "In an option list")

    static let actions: [Action] =
        [
            action(
                .accept, [.enter, " "], label: "choose", help: "Choose the option; 1 to 9 choose by number.",
                .changesValues
            ) { $0.accept(in: &$1) },
            action(
                .useRemote, ["x", .delete, .backspace], label: "reset",
                help: "Reset the flag: use its remote value again.", .changesValues,
                disabledReason: { $0.facts($1).clearReason }
            ) { $1.closeSheet() + $1.save([.clear(key: $0.key.string)], label: "reset \($0.key.string)") },
            action(
                .edit, ["e"], label: "other value", help: "Write another value; asks if it is not an option.",
                disabledReason: { sheet, state in
                    let flag = state.facts(of: sheet.key)
                    return flag.hasOtherValues ? nil : "\(flag.name) is true or false; there is no other value."
                }
            ) { $1.open(ValueEditor($1.facts(of: $0.key))) },
            action(
                "setForTeam", ["t"], label: "for the team", help: "Set the option for the team; asks.",
                [.changesValues, .needsTeam],
                disabledReason: { $1.team?.disabledReason(toSet: $0.value(in: $1) ?? "", of: $0.facts($1)) }
            ) { $1.confirmSetForTeam($0.facts($1), to: $0.value(in: $1) ?? "") },
            closing([.escape, "q"], help: "Close the list and change nothing."),
        ] + movements("option")

    func choices(in state: MenuState) -> [FlagOption] { facts(state).choices }

    private func facts(_ state: MenuState) -> FlagFacts { state.facts(of: key) }

    /// The selected value; `nil` if there is none.
    private func value(in state: MenuState) -> String? { selected(in: state)?.value }

    mutating func select(_ index: Int, in state: MenuState) {
        selection = index
        movedTo = value(in: state)
    }

    /// Chooses the option with the number of the typed digit. If the options are numbers, the digit only selects the
    /// option, as the user may mean the value 100 by typing 1.
    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard selectNumber(typedAs: key, in: &state) else { return [] }
        guard [.int, .double].contains(facts(state).type) else { return accept(in: &state) }
        return state.show("\(state.keyName(of: .accept, in: part)) chooses \(value(in: state) ?? "").")
    }

    /// Sets the flag to the selected option and closes the list.
    private func accept(in state: inout MenuState) -> [Effect] {
        let flag = facts(state)
        guard let value = value(in: state) else { return state.closeSheet() }
        if flag.override == nil, flag.alreadyHas(value) { return state.closeUnchanged(flag) }
        _ = state.closeSheet()
        if let base = flag.base, flag.isSame(value, base.value?.string) {
            state.show("Set to the \(base.layer.word) value; the override stays if \(base.layer.word) changes.")
        }
        return state.save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// Closes the list if its flag no longer has options; else keeps the same value selected.
    mutating func update(in state: inout MenuState) {
        guard facts(state).hasChoice else {
            _ = state.closeSheet()
            state.show("\(key.string) no longer has options.", .rejection)
            return
        }
        reselect(facts(state))
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let sentences = FlagSentences(facts(state), at: state.now)
        return LineModeSheet(
            before: [sentences.brief], numbering: choices(in: state).map(sentences.option),
            after: [sentences.hint(in: state)], prompt: "Option: ")
    }
}

extension FlagFacts {
    /// The options, then the override and the remote value if they are not among the options.
    var choices: [FlagOption] {
        let extraValues = [override?.value, explanation.value(in: .remote)?.string]
        return extraValues.compactMap { $0 }.reduce(into: options) { choices, value in
            guard !choices.contains(where: { isSame($0.value, value) }) else { return }
            choices.append(FlagOption(value: value, label: "not among the options"))
        }
    }

    /// Whether values besides the options are possible; `false` for a bool if `true` and `false` are options.
    var hasOtherValues: Bool {
        guard type == .bool else { return true }
        return Set(options.compactMap { FlagReading.bool($0.value) }).count < 2
    }
}

// The view: the description, then the options, with a check mark on the value in use and words for the remote and the
// default value. The selected option has as many lines as it needs, any other option has one line.
extension OptionList {
    /// The number of columns before a value: the pointer, the check mark and the option's number.
    private static let indent = 7
    /// The maximum number of lines of a value.
    private static let valueLimit = 6

    func view(in state: MenuState) -> SheetList {
        let facts = facts(state)
        let choices = facts.choices
        func width(_ text: String) -> Int { DisplayText.width(text, charset: state.charset) }
        let widest = choices.map { width($0.value) + facts.marks(of: $0).count + 10 }.max() ?? 0
        let columns = min(max(56, widest + 4), min(100, state.size.columns - 4))
        let widestValue = choices.map { width($0.value.orQuotes) }.max() ?? 0
        let rows = choices.indices.flatMap { index -> [SheetList.Row] in
            lines(of: choices[index], at: index, facts, columns: columns, widestValue: widestValue, state)
                .map { SheetList.Row(entry: index, line: $0) }
        }
        // The description gets at most half of the sheet, or more if there are few options.
        let sheetRows = SheetFrame.room(on: state.size)
        let least = rows.count - choices.count + min(2, choices.count)
        let room = max(0, sheetRows - max(least, min(rows.count, sheetRows / 2)))
        let text = WrappedText(columns: columns - 1, charset: state.charset)
        let details = facts.item?.details?.string ?? ""
        let summary = details.isEmpty ? [] : text.lines(of: details, atMost: max(0, room - 2))
        let dot = " \(state.charset.separator) "
        let key = facts.item?.title == nil ? facts.type.rawValue : "\(facts.key)\(dot)\(facts.type.rawValue)"
        let above = Array((summary + [StyledLine(key, state.theme.faint), StyledLine()]).prefix(room))
        // On a small screen the options get the room, as the footer shows the same key.
        let hasHint = facts.override != nil && above.count + rows.count + 2 <= sheetRows
        let hint = StyledLine("  \(state.keyName(of: .useRemote, in: part))  ", state.theme.key)
            .adding(facts.useRemoteText)
        return SheetList(
            state, title: facts.name, columns: columns, above: above, rows: rows,
            below: hasHint ? [StyledLine(), hint] : [], selection: selection)
    }

    /// The lines of one option.
    private func lines(
        of choice: FlagOption, at index: Int, _ facts: FlagFacts, columns: Int, widestValue: Int, _ state: MenuState
    ) -> [StyledLine] {
        let (theme, charset) = (state.theme, state.charset)
        let isInUse = facts.isSame(choice.value, facts.value)
        let style = isInUse ? theme.title : .plain
        let label = StyledLine(isInUse ? charset.checkMark : " ", theme.title)
            .adding(" \(index < 9 ? "\(index + 1)" : " ")  ", theme.faint)
        let marks = facts.marks(of: choice)
        let markWidth = DisplayText.width(marks, charset: charset)
        let width = max(8, DisplayText.width(choice.value, charset: charset))
        guard index == selection, width + Self.indent + (marks.isEmpty ? 0 : markWidth + 2) > columns else {
            // The marks get the room that they need, the value gets the remaining columns.
            let room = max(8, columns - markWidth - Self.indent - 2)
            let value = DisplayText.padded(choice.value.orQuotes, to: min(max(8, widestValue), room), charset: charset)
            return [label.adding(value, style).adding("  \(marks)", theme.faint)]
        }
        let text = WrappedText(columns: columns - Self.indent, charset: charset)
        let margin = StyledLine(String(repeating: " ", count: Self.indent - 2))
        let pieces = text.pieces(of: choice.value, atMost: Self.valueLimit).enumerated().map {
            ($0 == 0 ? label : margin).adding($1, style)
        }
        let notes = marks.isEmpty ? [] : DisplayText.wrapped(marks, columns: text.columns, charset: charset)
        return pieces + notes.map { margin.adding($0, theme.faint) }
    }
}
