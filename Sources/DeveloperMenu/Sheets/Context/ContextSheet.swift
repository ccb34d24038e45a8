import FlagModel
import TerminalUI

/// The sheet to change evaluation contexts and conditions.
struct ContextSheet: Equatable {
    /// The index of the selected row among the rows that can be selected.
    var selection = 0
    /// The selected row, which stays selected when other rows are added or removed.
    private var selectedID: [String]?
}

/// A row of the context sheet that can be selected.
struct ContextRow: Equatable {
    /// What a row shows.
    enum Content: Equatable {
        case member(SourceEvaluation.Member)
        /// The row that adds a member to the context.
        case add
        /// A condition, with the number of flags that it decides.
        case condition(RemoteCondition, flagCount: Int)
    }

    /// The evaluation of the source.
    let evaluation: SourceEvaluation
    let content: Content
    /// The heading above the row, if it is the first one below it.
    var heading: String?

    /// The condition or the attribute; `nil` for the row that adds one.
    var part: ContextPart? {
        switch content {
        case .member(let member): ContextPart(evaluation.source, .attribute, member.name)
        case .add: nil
        case .condition(let condition, _): ContextPart(evaluation.source, .condition, condition.name.string)
        }
    }

    /// What identifies the row, even after other rows are added or removed: its source and its part.
    var id: [String] { [evaluation.source, part.map { "\($0.kind) \($0.name.string)" } ?? ""] }

    /// All rows, source by source: first the context, then the conditions in order of precedence.
    static func rows(of evaluations: [SourceEvaluation]) -> [ContextRow] {
        evaluations.flatMap { evaluation -> [ContextRow] in
            var context = (evaluation.context ?? []).map { ContextRow(evaluation: evaluation, content: .member($0)) }
            if evaluation.context != nil { context.append(ContextRow(evaluation: evaluation, content: .add)) }
            var conditions = zip(evaluation.conditions, evaluation.flagCounts).map {
                ContextRow(evaluation: evaluation, content: .condition($0, flagCount: $1))
            }
            // A source is only named if there are several.
            let source = evaluations.count > 1 ? "\(evaluation.source): " : ""
            if !context.isEmpty { context[0].heading = "\(source)Evaluated for" }
            if !conditions.isEmpty {
                conditions[0].heading = "\(source)Conditions, the first that applies decides"
            }
            return context + conditions
        }
    }
}

extension ContextSheet: ListSheet {
    static let part = MenuPart(id: "context", heading: "In the context sheet")

    static let actions: [Action] =
        [
            action(
                .accept, [.enter, " "], label: "change", help: "Edit the member, or turn the condition on or off.",
                .changesValues
            ) { $0.changeSelected(in: &$1) },
            action(
                .clear, ["x", .delete, .backspace], label: "take back",
                help: "Undo your change, or remove the member.", .changesValues, rank: .frequent,
                disabledReason: { $0.clearReason(in: $1) }
            ) { $0.clearSelected(in: &$1) },
            action(
                "addMember", ["a"], label: "add", help: "Add a member to the context.", .changesValues,
                disabledReason: {
                    $0.row(in: $1)?.evaluation.context == nil ? "This source does not use a context." : nil
                }
            ) { $0.promptForMember(in: &$1) },
            action(
                "resetContext", ["R"], label: "reset", help: "Undo all your changes for the source.",
                .changesValues,
                disabledReason: { $0.row(in: $1)?.evaluation.isChanged == true ? nil : "Nothing was changed here." }
            ) { sheet, state in sheet.row(in: state).map { state.change($0.evaluation.source, [.reset]) } ?? [] },
            closing([.escape, "q", "c"], help: "Close the sheet."),
        ] + movements("line")

    func choices(in state: MenuState) -> [ContextRow] { ContextRow.rows(of: state.remote.evaluations) }

    /// The selected row, or the last one if there are fewer rows now; `nil` if there are no rows.
    private func row(in state: MenuState) -> ContextRow? { selected(in: state) ?? choices(in: state).last }

    mutating func select(_ index: Int, in state: MenuState) {
        selection = index
        selectedID = row(in: state)?.id
    }

    /// Keeps the same row selected after evaluations have changed.
    mutating func layOut(in state: MenuState) {
        let rows = choices(in: state)
        selection = rows.firstIndex { $0.id == selectedID } ?? max(0, min(selection, rows.count - 1))
        selectedID = row(in: state)?.id
    }

    mutating func update(in state: inout MenuState) {
        if state.contextReason != nil { _ = state.closeSheet() }
    }

    /// Opens the prompt for the value of the selected member, or switches the selected condition. A condition cycles
    /// through three settings: its rule, on, and off.
    private func changeSelected(in state: inout MenuState) -> [Effect] {
        guard let row = row(in: state) else { return [] }
        switch row.content {
        case .add: return promptForMember(in: &state)
        case .member(let member):
            let text = member.value == nil ? member.base.map { ContextText.shown($0) } ?? "" : member.text
            let purpose = LinePrompt.Purpose.member(source: row.evaluation.source, name: member.name)
            return state.open(LinePrompt(purpose, text: text, over: state.mode))
        case .condition(let condition, _):
            let nextForced: Bool? = condition.forced.map { $0 ? false : nil } ?? true
            return state.change(row.evaluation.source, [row.evaluation.decision(on: condition.name, nextForced)])
        }
    }

    /// Undoes the user's change of the selected row. If the user did not change the row's member, removes the member
    /// from the context.
    private func clearSelected(in state: inout MenuState) -> [Effect] {
        guard let row = row(in: state) else { return [] }
        switch row.content {
        case .add: return []
        case .member(let member): return state.change(row.evaluation.source, [member.removal])
        case .condition(let condition, _):
            return state.change(row.evaluation.source, [row.evaluation.decision(on: condition.name, nil)])
        }
    }

    /// Why the selected row cannot be cleared; `nil` if it can.
    private func clearReason(in state: MenuState) -> String? {
        switch row(in: state)?.content {
        case .condition(let condition, _):
            condition.forced == nil ? "The rule of \(condition.name.string) is used already." : nil
        case .member(let member) where member.isOwn || member.value != nil: nil
        case .member, .add, nil: "Nothing to restore here."
        }
    }

    /// Opens the prompt for a new member. Suggests the members that conditions use but that the context does not have.
    private func promptForMember(in state: inout MenuState) -> [Effect] {
        guard let evaluation = row(in: state)?.evaluation else { return [] }
        var names = Set((evaluation.context ?? []).filter { $0.value != nil }.map(\.name))
        let suggestions = evaluation.conditions.flatMap { condition in
            condition.wants.filter { names.insert($0).inserted }.map { name in
                LinePrompt.Suggestion(text: "\(name)=", note: "used by \(condition.name.string)")
            }
        }
        let purpose = LinePrompt.Purpose.member(source: evaluation.source, name: nil)
        return state.open(LinePrompt(purpose, suggestions: suggestions, over: state.mode))
    }
}

// The view: contexts and conditions and, below them, a note on the selected row.
extension ContextSheet {
    /// The width of the column of values and states: the longest state, `unknown, so off`, and a gap.
    private static let settingColumns = 17

    func view(in state: MenuState) -> SheetList {
        let columns = min(76, state.size.columns - 4)
        let room = SheetFrame.room(on: state.size)
        let noteRows = room > 8 ? 3 : room > 5 ? 2 : room > 3 ? 1 : 0
        let rows = choices(in: state)
        let words = rows.map(\.words)
        let widest = words.map { DisplayText.width($0.name, charset: state.charset) }.max() ?? 0
        let nameColumns = min(widest, columns / 2 - 4)
        let lines = SheetList.rows(rows.count, state, heading: { rows[$0].heading }) {
            Self.line(rows[$0], words[$0], nameColumns, columns: columns, state)
        }
        let text = WrappedText(columns: columns, charset: state.charset)
        let note = row(in: state).map { text.lines(of: $0.words.note, atMost: noteRows, state.theme.faint) } ?? []
        let padding = Array(repeating: StyledLine(), count: max(0, noteRows - note.count))
        return SheetList(
            state, title: "Context", columns: columns, rows: lines,
            below: (noteRows > 2 ? [StyledLine()] : []) + note + padding, selection: selection)
    }

    private static func line(
        _ row: ContextRow, _ words: ContextRow.Words, _ nameColumns: Int, columns: Int, _ state: MenuState
    ) -> StyledLine {
        let name = DisplayText.padded(words.name, to: nameColumns, charset: state.charset)
        func padding(after text: String) -> String {
            let width = DisplayText.width(text, charset: state.charset)
            return String(repeating: " ", count: max(2, (columns < 60 ? 0 : settingColumns) - width))
        }
        switch row.content {
        case .add: return StyledLine("+ ", state.theme.key).adding(words.name, state.theme.faint)
        case .member(let member):
            let line = StyledLine("  \(name)  \(words.settings[0])\(padding(after: words.settings[0]))")
            return member.isOwn ? line.adding("yours", state.theme.changedValue) : line
        case .condition(let condition, _):
            let mark = condition.applies ? state.charset.fullCircle : state.charset.emptyCircle
            let style = condition.applies ? state.theme.title : state.theme.plain
            return StyledLine("\(mark) \(name)", style)
                .adding("  ")
                .adding(words.settings[0], condition.forced == nil ? state.theme.plain : state.theme.changedValue)
                .adding(padding(after: words.settings[0]) + words.settings[1], state.theme.faint)
        }
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let rows = choices(in: state)
        let lines = rows.enumerated().flatMap { index, row in
            [row.heading.map { "\($0)." }, "\(index + 1). \(row.sentence)"].compactMap { $0 }
        }
        let hint = "A number edits a member or sets a condition. Enter goes back."
        return LineModeSheet(lines: lines + [hint], choiceCount: rows.count, prompt: "Context: ")
    }
}

extension ContextRow {
    /// The texts of a row. The settings are a member's value, or a condition's state and the number of its flags. The
    /// note is in sentences.
    typealias Words = (name: String, settings: [String], note: String)

    var words: Words {
        switch content {
        case .add: return ("Add a member", [], "Such as country=FR.")
        case .member(let member):
            let projectValue = member.base.map { ContextText.shown($0).orQuotes } ?? "nothing"
            return (
                member.name, [member.value == nil ? "left out" : member.text.orQuotes],
                member.isOwn ? "You set it; the project file has \(projectValue)." : "From the project file."
            )
        case .condition(let condition, let flagCount):
            return (condition.name.string, [condition.word, flagCount.counted("flag")], Self.reason(condition))
        }
    }

    /// The row in line mode.
    fileprivate var sentence: String {
        let (name, settings, note) = words
        return "\(name)\(settings.isEmpty ? "" : ": ")\(settings.joined(separator: ", ")). \(note)"
    }

    /// The rule of a condition, and its result, as sentences.
    private static func reason(_ condition: RemoteCondition) -> String {
        let why = condition.why.isEmpty ? "" : ": \(condition.why)"
        let result =
            switch condition.result {
            case .applies: condition.forced == nil ? "It applies" : "Its rule applies"
            case .doesNotApply: condition.forced == nil ? "It does not apply" : "Its rule does not apply"
            case .unknown: "Whether it applies is unknown"
            }
        return "\(condition.rule.isEmpty ? "" : "Rule: \(condition.rule). ")\(result)\(why)."
    }
}
