import FlagModel
import FlagQueries
import TerminalUI

extension ExplanationContent {
    /// The explanation as plain lines.
    ///
    /// - Parameter apps: what running apps do about the flag.
    func lines(apps: [AppsStatus.Line]) -> [String] {
        let titles = [facts.item?.title, facts.item?.details].compactMap { $0?.string }
        var lines = ["\(facts.key) (\(facts.type.rawValue))"] + titles
        if let bounds = facts.bounds { lines.append("bounds: \(bounds.summary)") }
        lines += metadata.map { "\($0.label.lowercased()): \($0.text)" }
        lines += [restart].compactMap { $0 } + facts.mismatches + [""] + rows.map(Self.line) + Self.conditions(facts)
        if facts.state != .notSet { lines += ["", Self.state(facts)] }
        if !facts.options.isEmpty {
            lines += ["", "options: " + facts.options.map(Self.option).joined(separator: " | ")]
        }
        if !apps.isEmpty { lines += ["", "running apps:"] + apps.map { "  \($0.app) \($0.summary)" } }
        return lines
    }

    private static func line(_ row: ExplanationContent.Row) -> String {
        let mark = row.isWinner ? ">" : " "
        let name = row.isOtherSource ? "            \(row.name) " : DisplayText.padded(row.name, to: 9)
        let moment = row.setAt.map { " (\($0.rfc3339))" } ?? ""
        return "\(mark) \(name) \(EffectiveChange.shown(row.value))"
            + (row.note.isEmpty ? "" : "   \(row.note)\(moment)")
    }

    /// The conditions in order of evaluation, with `>` before the condition that decides.
    private static func conditions(_ facts: FlagFacts) -> [String] {
        guard !facts.remoteConditions.isEmpty else { return [] }
        let rows = facts.remoteConditions.map { step in
            let mark = step.part == .decides ? ">" : " "
            return [
                "\(mark) \(DisplayText.clipped(step.condition.name.string, to: 40))",
                step.words.joined(separator: ": "),
            ]
        }
        return ["", "conditions:"] + rows.table
    }

    private static func state(_ facts: FlagFacts) -> String {
        switch facts.state {
        case .stale(let reason), .invalid(let reason): "\(facts.state.word): \(reason)"
        default: facts.state.word
        }
    }

    private static func option(_ option: FlagOption) -> String {
        let value = EffectiveChange.shown(option.value)
        return option.label.map { "\(value) (\($0))" } ?? value
    }
}
