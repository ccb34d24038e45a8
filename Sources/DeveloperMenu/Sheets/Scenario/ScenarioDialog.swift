import FlagModel
import FlagQueries
import TerminalUI

/// The dialog that shows what applying a scenario changes, in three columns, and asks how; the default is not to.
struct ScenarioDialog: Equatable {
    private let file: ScenarioFile
    /// The plan that replaces all changes, which is shown. If values change while the dialog is open, it is made again.
    private(set) var plan: ScenarioPlan
    /// Whether these are the changes of a shared state, and not of a scenario.
    private let isShared: Bool
    /// The mode in which the scenario was chosen.
    private let behind: MenuMode
    /// The scroll position of the list.
    var scrolled = ScrolledLines.none

    /// The dialog; `nil` if the scenario's file cannot be read.
    init?(_ file: ScenarioFile, isShared: Bool = false, over behind: MenuMode, in state: MenuState) {
        guard let plan = state.plan(file, isReplacing: true) else { return nil }
        (self.file, self.plan, self.isShared, self.behind) = (file, plan, isShared, behind)
    }
}

extension ScenarioDialog: ScrollingSheet {
    static let part = MenuPart(id: "scenario", heading: "Before a scenario is applied")

    static let actions: [Action] = [
        action(
            "replaceAll", ["r"], label: "replace all", help: "Make the scenario's changes the only ones.",
            .changesValues
        ) { $0.apply(isReplacing: true, in: &$1) },
        action(
            "onlyAdd", ["a"], label: "only add", help: "Add the scenario's changes to the current ones.",
            .changesValues
        ) { $0.apply(isReplacing: false, in: &$1) },
        action(
            "save", ["s"], label: "save", help: "Save a pasted shared state as a scenario.",
            isOffered: { sheet, _ in sheet.isShared },
            disabledReason: { sheet, _ in sheet.isShared ? nil : "The scenario is already saved." }
        ) { $1.open(LinePrompt(.scenario(renaming: nil, of: $0.file), over: $1.mode)) },
        closing([.escape, .enter, "q", "n"], label: "back (default)", help: "Change nothing and go back.") {
            $1.closeSheet(backTo: $0.behind)
        },
    ]

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
        let count = plan.lines.count { $0.effect != .keep }
        let done = "Applied \(plan.name): \(count.counted("change"))."
        return state.save(
            isShared ? plan.changes : plan.edits, message: "\(done) \(state.keyWord(of: .undo)) undoes it.",
            keepingSelected: !isReplacing)
    }
}

// The view: the outcome, the three columns, the entries that are left out, and the keys.
extension ScenarioDialog {
    func view(in state: MenuState) -> SheetList {
        let columns = min(100, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let table = table(columns: columns, state)
        let leftOut = plan.leftOut.flatMap { text.lines(of: $0.sentence, state.theme.faint) }
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        let saving = isShared ? "\(key("save", state)) save as scenario  " : ""
        let keys = StyledLine("\(key("replaceAll", state)) replace all  \(key("onlyAdd", state)) only add  ")
            .adding("\(saving)\(key(.cancel, state)) back")
        return SheetList(
            state, title: "Apply \(JSONOutput.quoted(plan.name))", columns: columns,
            above: text.lines(of: outcome(in: state)) + table.header,
            rows: (table.rows + leftOut).map { SheetList.Row(line: $0) }, below: gap + [keys],
            top: scrolled.top, asks: true)
    }

    private func key(_ id: Action.ID, _ state: MenuState) -> String { state.keyName(of: id, in: part) }

    /// Whose changes a shared state has if they are of another app, what applying does, and how the two ways differ.
    private func outcome(in state: MenuState) -> String {
        let app = isShared ? (try? file.content.get())?.app : nil
        let origin = app.flatMap { $0 == state.target.app ? nil : "Of \($0), not \(state.target.app). " } ?? ""
        let resets = plan.lines.contains { $0.effect == .reset }
        let count = plan.leftOut.count.counted("entry is", "entries are")
        return origin + plan.summary + (resets ? " \(state.keyWord(of: "onlyAdd", in: part)) resets nothing." : "")
            + (plan.leftOut.isEmpty ? "" : " \(count) left out; the end shows why.")
    }

    /// The header, and a row for each flag, condition and attribute, with its note and end below; sentences if there is
    /// no room for columns.
    private func table(columns: Int, _ state: MenuState) -> (header: [StyledLine], rows: [StyledLine]) {
        // Measures and draws only text that a row has room for.
        let cells =
            [["", "now", "scenario", "after"]]
            + plan.lines.map { line in
                [
                    line.key, EffectiveChange.shown(line.now), line.scenario?.orQuotes ?? "-",
                    EffectiveChange.shown(line.after),
                ]
                .map { String($0.prefix(columns + 1)) }
            }
        let widest = (0..<4).map { column in
            cells.map { DisplayText.width($0[column], charset: state.charset) }.max() ?? 0
        }
        // What is left for the values beside the bar, the key, the effect and the gaps.
        let room = (columns - 2 - widest[0] - 2 - 6 - "replace".count) / 3
        func bar(_ line: ScenarioPlan.Line) -> StyledLine {
            StyledLine(line.effect == .keep ? "  " : "\(state.charset.bar) ", state.theme.bar)
        }
        let text = WrappedText(columns: columns, charset: state.charset)
        guard room >= Self.minimumColumns else {
            let rows = plan.lines.flatMap {
                text.labelled(bar($0), Self.sentence($0), .plain, .plain, breaksAtWords: true)
            }
            return ([], rows)
        }
        let widths = [widest[0]] + widest.dropFirst().map { min(room, $0) }
        func row(_ texts: [String]) -> String {
            zip(texts, widths).map { DisplayText.padded($0, to: $1, charset: state.charset) + "  " }.joined()
        }
        let rows = zip(plan.lines, cells.dropFirst()).flatMap { line, cells in
            let first = bar(line).adding(row(cells) + line.effect.rawValue)
            guard !line.additions.isEmpty else { return [first] }
            let additions = line.additions.joined(separator: ", ")
            return [first] + text.labelled(bar(line), additions, .plain, .plain, breaksAtWords: true)
        }
        return ([StyledLine("  \(row(cells[0]))", state.theme.faint)], rows)
    }

    /// The minimum room for a value.
    private static let minimumColumns = 10

    private static func sentence(_ line: ScenarioPlan.Line) -> String {
        let (now, after) = (line.now.map(FlagSentences.stored), line.after.map(FlagSentences.stored))
        let scenario = line.scenario.map { "scenario \(FlagSentences.stored($0))" } ?? "not in the scenario"
        let effects = [line.effect == .keep ? "stays" : line.effect.rawValue] + line.additions
        let words = effects.joined(separator: ", ")
        return "\(line.key): now \(now ?? "not set"), \(scenario), after \(after ?? "not set"), \(words)."
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let saving = isShared ? "\(key("save", state)) saves it as a scenario, " : ""
        let ways = "\(key("replaceAll", state)) replaces all, \(key("onlyAdd", state)) only adds, "
        return LineModeSheet(
            lines: ["Apply \(plan.name)? \(outcome(in: state))"] + plan.lines.map(Self.sentence)
                + plan.leftOut.map(\.sentence) + ["\(ways)\(saving)anything else goes back."],
            prompt: "Apply: ")
    }
}
