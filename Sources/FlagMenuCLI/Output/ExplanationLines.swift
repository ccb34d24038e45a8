import DeveloperMenu
import FlagModel
import TerminalUI

/// An explanation as plain lines.
struct ExplanationLines {
    let lines: [String]

    init(_ facts: FlagFacts, fetchedAt: Timestamp?, now: Timestamp) {
        var lines = ["\(facts.key) (\(facts.type.rawValue))"]
        if let title = facts.item?.title { lines.append(title.string) }
        if let details = facts.item?.details { lines.append(details.string) }
        lines += Self.metadata(facts)
        lines.append("")
        for entry in facts.explanation.entries {
            lines.append(Self.line(entry, facts, fetchedAt: fetchedAt, now: now))
        }
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
        _ entry: Explanation.Entry, _ facts: FlagFacts, fetchedAt: Timestamp?, now: Timestamp
    ) -> String {
        let mark = entry.layer == facts.explanation.winner ? ">" : " "
        let layer = DisplayText.padded(entry.layer.word, to: 9)
        guard let value = entry.value?.string else { return "\(mark) \(layer) not set" }
        var notes: [String] = []
        if !entry.isCastable { notes.append("cannot be read as \(facts.type.rawValue), passed over") }
        if entry.layer == .launch { notes.append("this run only") }
        if entry.layer == .override { notes += overrideNotes(facts, now: now) }
        if entry.layer == .remote, let fetchedAt { notes.append("active, fetched \(fetchedAt.age(at: now))") }
        let note = notes.isEmpty ? "" : "   \(notes.joined(separator: ", "))"
        return "\(mark) \(layer) \(Workspace.shown(value))\(note)"
    }

    private static func overrideNotes(_ facts: FlagFacts, now: Timestamp) -> [String] {
        guard let override = facts.override else { return [] }
        let who = override.setBy.map { "set by \($0)" }
        let when = override.setAt.map { "\($0.age(at: now)) (\($0.rfc3339))" }
        return [who, when].compactMap { $0 }
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
