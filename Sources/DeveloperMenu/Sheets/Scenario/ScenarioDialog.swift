import FlagModel
import FlagQueries
import TerminalUI

/// The dialog that shows what applying a scenario changes, in three columns, and asks how; the default is not to.
struct ScenarioDialog: Equatable {
    private let file: ScenarioFile
    /// The plan that replaces all changes, which is shown. If values change while the dialog is open, it is made again.
    private(set) var plan: ScenarioPlan
    /// The sheet in which the scenario was chosen.
    private let behind: ScenarioSheet
    /// The scroll position of the list.
    var scrolled = ScrolledLines.none

    /// The dialog; `nil` if the scenario's file cannot be read.
    init?(_ file: ScenarioFile, over behind: ScenarioSheet, in state: MenuState) {
        guard let plan = state.plan(file, isReplacing: true) else { return nil }
        (self.file, self.plan, self.behind) = (file, plan, behind)
    }
}

extension ScenarioDialog: ScrollingSheet {
    static let part = MenuPart(id: "scenario", heading: "Before a scenario is applied")

    static let actions: [Action] =
        [
            action(
                "replaceAll", ["r"], label: "replace all", help: "Make the scenario's changes the only ones.",
                .changesValues
            ) { $0.apply(isReplacing: true, in: &$1) },
            action(
                "onlyAdd", ["a"], label: "only add", help: "Add the scenario's changes to the current ones.",
                .changesValues
            ) { $0.apply(isReplacing: false, in: &$1) },
            closing([.escape, .enter, "q", "n"], label: "back (default)", help: "Change nothing and go back.") {
                $1.close(backTo: .sheet($0.behind))
            },
        ] + scrolling

    mutating func update(in state: inout MenuState) { plan = state.plan(file, isReplacing: true) ?? plan }

    /// Makes the plan again after any change in the store: conditions can change alone.
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .store = event else { return nil }
        let effects = state.receive(event)
        update(in: &state)
        return effects
    }

    /// Saves the edits of the plan as one change.
    private func apply(isReplacing: Bool, in state: inout MenuState) -> [Effect] {
        guard let plan = isReplacing ? plan : state.plan(file, isReplacing: false) else { return [] }
        _ = state.closeSheet()
        state.list.marks = FlagMarks()
        let command = state.commands.command(
            "scenario apply", options: [isReplacing ? "--replace" : "--add"], operands: [plan.name])
        let done = "Applied \(plan.name): \(plan.changedCount.counted("change"))."
        let effects = state.save(
            plan.edits, message: "\(done) \(state.keyWord(of: .undo)) undoes it.", keepingSelected: !isReplacing)
        state.lastCommands = [command]
        return effects
    }
}

// The view: the outcome, the three columns, the entries that are left out, and the keys.
extension ScenarioDialog {
    /// The minimum width of a column that is beside the keys. If there is less room, it is below its key.
    private static let minimumColumns = 12
    /// The number of columns between two columns, and the indentation below a key.
    private static let gap = 2
    private static let effectColumns = 7

    func view(in state: MenuState) -> SheetList {
        let columns = min(100, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        let table = table(columns: columns, state)
        let leftOut = plan.leftOut.flatMap { text.lines(of: "\($0.key) is left out. \($0.reason)", state.theme.faint) }
        let ways: [(Action.ID, String)] = [
            ("replaceAll", "replace all  "), ("onlyAdd", "only add  "), (.cancel, "back"),
        ]
        let keys = ways.reduce(StyledLine()) { line, way in
            line.adding(state.keyName(of: way.0, in: part), state.theme.key).adding(" \(way.1)")
        }
        return SheetList(
            state, title: "Apply \(JSONOutput.quoted(plan.name))", columns: columns,
            above: text.lines(of: outcome(in: state)) + table.prefix(1),
            rows: (table.dropFirst() + leftOut).map { SheetList.Row(line: $0) }, below: gap + [keys],
            top: scrolled.top, asks: true)
    }

    /// What applying does, and how the two ways differ.
    private func outcome(in state: MenuState) -> String {
        let resets = plan.lines.contains { $0.effect == .reset }
        let leftOut = plan.leftOut.count
        return [
            plan.summary, resets ? "\(state.keyWord(of: "onlyAdd", in: part)) resets nothing." : nil,
            leftOut == 0 ? nil : "\(leftOut.counted("entry is", "entries are")) left out; the end shows why.",
        ].compactMap { $0 }.joined(separator: " ")
    }

    /// The header, and a row for each flag, condition and attribute; two rows if there is no room for the columns beside
    /// the keys.
    private func table(columns: Int, _ state: MenuState) -> [StyledLine] {
        func padded(_ text: String, to columns: Int) -> String {
            DisplayText.padded(text, to: columns, charset: state.charset) + String(repeating: " ", count: Self.gap)
        }
        // Measures and draws only text that a row has room for.
        let cells = [["now", "scenario", "after"]] + plan.lines.map { $0.texts.map { String($0.prefix(columns + 1)) } }
        func widest(_ texts: some Sequence<String>) -> Int {
            texts.map { DisplayText.width($0, charset: state.charset) }.max() ?? 0
        }
        let keyColumns = widest(plan.lines.map(\.key))
        let room = columns - Self.effectColumns - 4 * Self.gap
        let isBeside = room - keyColumns - Self.gap >= 3 * Self.minimumColumns
        let share = (isBeside ? room - keyColumns - Self.gap : room) / 3
        let widths = (0..<3).map { column in min(share, widest(cells.map { $0[column] })) }
        let margin = String(repeating: " ", count: Self.gap)
        func values(_ texts: [String]) -> String { zip(texts, widths).map(padded).joined() }
        let header = margin + (isBeside ? padded("", to: keyColumns) : "") + values(cells[0])
        let rows = zip(plan.lines, cells.dropFirst()).flatMap { line, texts -> [StyledLine] in
            let isChange = line.effect != .keep
            let (valueStyle, bar) = isChange ? (state.theme.changedValue, state.charset.bar) : (state.theme.plain, " ")
            let start = StyledLine("\(bar) ", state.theme.bar)
            let end = StyledLine(values(texts), valueStyle).adding(line.effect.rawValue)
            if isBeside { return [start.adding(padded(line.key, to: keyColumns)) + end] }
            let keys = WrappedText(columns: columns - Self.gap, charset: state.charset).pieces(of: line.key)
            return keys.enumerated().map { ($0 == 0 ? start : StyledLine(margin)).adding($1) } + [
                StyledLine(margin) + end
            ]
        }
        return [StyledLine(header, state.theme.faint)] + rows
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let changes = plan.lines.map { line in
            let (now, after) = (line.now.map(FlagSentences.stored), line.after.map(FlagSentences.stored))
            let scenario = line.scenario.map { "scenario \(FlagSentences.stored($0))" } ?? "not in the scenario"
            let effect = line.effect == .keep ? "stays" : line.effect.rawValue
            return "\(line.key): now \(now ?? "not set"), \(scenario), after \(after ?? "not set"), \(effect)."
        }
        let leftOut = plan.leftOut.map { "\($0.key) is left out. \($0.reason)" }
        let keys =
            "\(state.keyWord(of: "replaceAll", in: part)) replaces all, \(state.keyName(of: "onlyAdd", in: part))"
        return LineModeSheet(
            lines: ["Apply \(plan.name)? \(outcome(in: state))"] + changes + leftOut
                + ["\(keys) only adds, anything else goes back."],
            prompt: "Apply: ")
    }
}

extension ScenarioPlan {
    /// The number of changes that applying makes.
    fileprivate var changedCount: Int { lines.count { $0.effect != .keep } }
}

extension ScenarioPlan.Line {
    /// The texts of the three columns.
    fileprivate var texts: [String] {
        [EffectiveChange.shown(now), scenario?.orQuotes ?? "-", EffectiveChange.shown(after)]
    }
}
