import DeveloperMenu
import FlagModel
import TerminalUI

/// An explanation as plain lines.
struct ExplanationLines {
    let lines: [String]

    init(_ facts: FlagFacts, _ sources: SourceValues, fetchedAt: Timestamp?, now: Timestamp) {
        var lines = ["\(facts.key) (\(facts.type.rawValue))"]
        if let title = facts.item?.title { lines.append(title.string) }
        if let details = facts.item?.details { lines.append(details.string) }
        lines += Self.metadata(facts)
        lines.append("")
        for entry in facts.explanation.entries {
            let remote = sources.note ?? fetchedAt.map { LayerNote.fetched(at: $0, now: now) } ?? ""
            lines.append(Self.line(entry, facts, remote: remote, now: now))
            if entry.layer == .remote { lines += Self.others(sources) }
        }
        lines += Self.conditions(facts)
        if facts.state != .notSet { lines += ["", Self.state(facts)] }
        if !facts.options.isEmpty {
            lines += ["", "options: " + facts.options.map(Self.option).joined(separator: " | ")]
        }
        self.lines = lines
    }

    private static func metadata(_ facts: FlagFacts) -> [String] {
        var lines: [String] = []
        if let bounds = facts.bounds { lines.append("bounds: \(bounds.words)") }
        if let owner = facts.item?.owner { lines.append("owner: \(owner.string)") }
        if let expires = facts.item?.expires { lines.append("expires: \(expires.string)") }
        if let requires = facts.item?.requires, !requires.isEmpty {
            lines.append("requires: " + requires.map(\.string).joined(separator: ", "))
        }
        if facts.item?.needsRestart == true { lines.append("The app reads it at its next start.") }
        return lines
    }

    private static func line(
        _ entry: Explanation.Entry, _ facts: FlagFacts, remote: String, now: Timestamp
    ) -> String {
        let mark = entry.layer == facts.explanation.winner ? ">" : " "
        let layer = DisplayText.padded(entry.layer.word, to: 9)
        let note = LayerNote(entry, of: facts, remote: remote, now: now, showsMoment: true).text
        return "\(mark) \(layer) \(entry.value.map { Workspace.shown($0.string) } ?? "not set")"
            + (note.isEmpty ? "" : "   \(note)")
    }

    /// What the sources behind the one whose value is in use would say.
    private static func others(_ sources: SourceValues) -> [String] {
        sources.holders.dropFirst().map { holder in
            "              \(holder.source.title)  \(Workspace.shown(holder.value.string))   \(sources.note(of: holder))"
        }
    }

    /// The conditions in the order in which they were asked, with `>` before the one that decides.
    private static func conditions(_ facts: FlagFacts) -> [String] {
        guard !facts.remoteConditions.isEmpty else { return [] }
        let widest = facts.remoteConditions.map { DisplayText.width($0.condition.name.string) }.max() ?? 0
        return ["", "conditions:"]
            + facts.remoteConditions.map { step in
                let mark = step.part == .decides ? ">" : " "
                let name = DisplayText.padded(step.condition.name.string, to: min(widest, 40))
                let words = [step.word, step.why].filter { !$0.isEmpty }.joined(separator: ": ")
                return "\(mark) \(name)  \(words)"
            }
    }

    private static func state(_ facts: FlagFacts) -> String {
        switch facts.state {
        case .stale(let reason), .invalid(let reason): "\(facts.state.word): \(reason)"
        default: facts.state.word
        }
    }

    private static func option(_ option: FlagOption) -> String {
        let value = Workspace.shown(option.value)
        return option.label.map { "\(value) (\($0))" } ?? value
    }
}
