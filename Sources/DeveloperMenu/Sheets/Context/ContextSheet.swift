import FlagModel

/// The sheet to change evaluation contexts and conditions.
public struct ContextSheet: Sendable, Equatable {
    /// The index of the selected row among the choices.
    public internal(set) var selection = 0
}

/// A line of that sheet.
enum ContextRow: Equatable {
    /// The source of the lines below, if there are several.
    case source(String)
    case heading(String)
    /// A member of the context of a source, both by their indices.
    case member(source: Int, index: Int)
    /// The line that adds a member.
    case add(source: Int)
    /// A condition of a source, both by their indices.
    case condition(source: Int, index: Int)

    /// The source of a choice; `nil` for headings.
    var source: Int? {
        switch self {
        case .source, .heading: nil
        case .member(let source, _), .add(let source), .condition(let source, _): source
        }
    }

    /// Identifies a line, even after the lines change.
    struct Name: Equatable {
        let source: String
        let part: String
        let name: String?
    }

    /// The name of a choice; `nil` for headings.
    func name(in evaluations: [SourceEvaluation]) -> Name? {
        guard let source, evaluations.indices.contains(source) else { return nil }
        let evaluation = evaluations[source]
        switch self {
        case .source, .heading: return nil
        case .member(_, let index):
            return Name(source: evaluation.source, part: "member", name: evaluation.context?[index].name)
        case .add: return Name(source: evaluation.source, part: "add", name: nil)
        case .condition(_, let index):
            return Name(source: evaluation.source, part: "condition", name: evaluation.conditions[index].name.string)
        }
    }

    /// The lines that can be chosen.
    static func choices(of evaluations: [SourceEvaluation]) -> [ContextRow] {
        rows(of: evaluations).filter { $0.source != nil }
    }

    /// All lines, source by source: first the context, then the conditions in order of precedence.
    static func rows(of evaluations: [SourceEvaluation]) -> [ContextRow] {
        evaluations.enumerated().flatMap { source, evaluation in
            var rows: [ContextRow] = evaluations.count > 1 ? [.source(evaluation.source)] : []
            if let context = evaluation.context {
                rows.append(.heading("Evaluated for"))
                rows += context.indices.map { .member(source: source, index: $0) } + [.add(source: source)]
            }
            if !evaluation.conditions.isEmpty {
                rows.append(.heading("Conditions, the first that applies decides"))
                rows += evaluation.conditions.indices.map { .condition(source: source, index: $0) }
            }
            return rows
        }
    }
}

extension ContextSheet {
    /// Keeps the selection on its line when the lines change.
    mutating func follow(from old: [SourceEvaluation], to new: [SourceEvaluation]) {
        let before = ContextRow.choices(of: old)
        guard before.indices.contains(selection), let name = before[selection].name(in: old),
            let place = ContextRow.choices(of: new).firstIndex(where: { $0.name(in: new) == name })
        else { return }
        selection = place
    }
}

extension MenuState {
    /// Keeps the selection of the sheet on its line, even while a line is edited over it.
    mutating func followContext(from old: [SourceEvaluation]) {
        guard old != remote.evaluations else { return }
        let new = remote.evaluations
        changeSheet(ContextSheet.self) { $0.follow(from: old, to: new) }
        changeSheet(LinePrompt.self) { prompt in
            guard case .context(var sheet) = prompt.behind else { return }
            sheet.follow(from: old, to: new)
            prompt.behind = sheet.mode
        }
    }

    /// The choices of the sheet.
    var contextChoices: [ContextRow] { ContextRow.choices(of: remote.evaluations) }

    /// The selected line; `nil` if the sheet is not open.
    var selectedContextRow: ContextRow? {
        guard case .context(let sheet) = mode else { return nil }
        let choices = contextChoices
        return choices.isEmpty ? nil : choices[max(0, min(sheet.selection, choices.count - 1))]
    }

    func member(_ row: ContextRow?) -> SourceEvaluation.Member? {
        guard case .member(let source, let index)? = row, remote.evaluations.indices.contains(source),
            let context = remote.evaluations[source].context, context.indices.contains(index)
        else { return nil }
        return context[index]
    }

    func condition(_ row: ContextRow?) -> RemoteCondition? {
        guard case .condition(let source, let index)? = row, remote.evaluations.indices.contains(source),
            remote.evaluations[source].conditions.indices.contains(index)
        else { return nil }
        return remote.evaluations[source].conditions[index]
    }

    /// A line of the sheet in words: its name, its value or state, and a note.
    func contextWords(_ row: ContextRow) -> (name: String, standing: String, note: String) {
        if let member = member(row) {
            let project = member.base.map { ContextText.shown($0).orQuotes } ?? "nothing"
            return (
                member.name, member.value == nil ? "left out" : member.text.orQuotes,
                member.isOwn ? "You set it; the project file has \(project)." : "From the project file."
            )
        }
        guard let condition = condition(row), case .condition(let source, let index) = row else {
            return ("Add a member", "", "Such as country=FR.")
        }
        let count = remote.evaluations[source].flagCounts[index].counted("flag")
        return (condition.name.string, count, Self.reason(condition))
    }

    /// The rule of a condition, and its result.
    private static func reason(_ condition: RemoteCondition) -> String {
        let why = condition.why.isEmpty ? "" : ": \(condition.why)"
        let verdict =
            switch condition.verdict {
            case .holds: condition.forced == nil ? "It applies" : "Its rule applies"
            case .doesNotHold: condition.forced == nil ? "It does not apply" : "Its rule does not apply"
            case .unknown: "Whether it applies is unknown"
            }
        return "\(condition.rule.isEmpty ? "" : "Rule: \(condition.rule). ")\(verdict)\(why)."
    }
}
