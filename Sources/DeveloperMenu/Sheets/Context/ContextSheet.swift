import FlagModel

/// The sheet to change evaluation contexts and conditions.
public struct ContextSheet: Sendable, Equatable {
    /// The index of the selected row among the rows that can be selected.
    public internal(set) var selection = 0
}

/// A row of the context sheet.
enum ContextRow: Equatable {
    /// The name of a source, above the source's rows. Only present if there are several sources.
    case source(String)
    case heading(String)
    /// A member of a source's context, with the indices of source and member.
    case member(source: Int, index: Int)
    /// The row that adds a member to the context of a source.
    case add(source: Int)
    /// A condition of a source, with the indices of source and condition.
    case condition(source: Int, index: Int)

    /// The index of the source; `nil` for headings, which cannot be selected.
    var source: Int? {
        switch self {
        case .source, .heading: nil
        case .member(let source, _), .add(let source), .condition(let source, _): source
        }
    }

    /// Identifies a row, even after other rows are added or removed.
    struct Identity: Equatable {
        let source: String
        let kind: String
        let name: String?
    }

    /// The row's identity; `nil` for headings.
    func identity(in evaluations: [SourceEvaluation]) -> Identity? {
        guard let source, evaluations.indices.contains(source) else { return nil }
        let evaluation = evaluations[source]
        switch self {
        case .source, .heading: return nil
        case .member(_, let index):
            return Identity(source: evaluation.source, kind: "member", name: evaluation.context?[index].name)
        case .add: return Identity(source: evaluation.source, kind: "add", name: nil)
        case .condition(_, let index):
            return Identity(
                source: evaluation.source, kind: "condition", name: evaluation.conditions[index].name.string)
        }
    }

    /// The rows that can be selected.
    static func choices(of evaluations: [SourceEvaluation]) -> [ContextRow] {
        rows(of: evaluations).filter { $0.source != nil }
    }

    /// All rows, source by source: first the context, then the conditions in order of precedence.
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
    /// Keeps the same row selected after evaluations changed.
    mutating func keepSelection(from old: [SourceEvaluation], to new: [SourceEvaluation]) {
        let oldChoices = ContextRow.choices(of: old)
        guard oldChoices.indices.contains(selection), let identity = oldChoices[selection].identity(in: old),
            let index = ContextRow.choices(of: new).firstIndex(where: { $0.identity(in: new) == identity })
        else { return }
        selection = index
    }
}

extension MenuState {
    /// Keeps the same row of the context sheet selected, even while a prompt is open over the sheet.
    mutating func keepContextSelection(from old: [SourceEvaluation]) {
        guard old != remote.evaluations else { return }
        let new = remote.evaluations
        changeSheet(ContextSheet.self) { $0.keepSelection(from: old, to: new) }
        changeSheet(LinePrompt.self) { prompt in
            guard case .context(var sheet) = prompt.behind else { return }
            sheet.keepSelection(from: old, to: new)
            prompt.behind = sheet.mode
        }
    }

    /// The rows of the context sheet that can be selected.
    var contextChoices: [ContextRow] { ContextRow.choices(of: remote.evaluations) }

    /// The selected row; `nil` if the context sheet is not open or has no row to select.
    var selectedContextRow: ContextRow? {
        guard case .context(let sheet) = mode else { return nil }
        let choices = contextChoices
        return choices.isEmpty ? nil : choices[max(0, min(sheet.selection, choices.count - 1))]
    }

    /// The member that a row shows; `nil` if the row shows no member, or the member no longer exists.
    func member(_ row: ContextRow?) -> SourceEvaluation.Member? {
        guard case .member(let source, let index)? = row, remote.evaluations.indices.contains(source),
            let context = remote.evaluations[source].context, context.indices.contains(index)
        else { return nil }
        return context[index]
    }

    /// The condition that a row shows; `nil` if the row shows no condition, or the condition no longer exists.
    func condition(_ row: ContextRow?) -> RemoteCondition? {
        guard case .condition(let source, let index)? = row, remote.evaluations.indices.contains(source),
            remote.evaluations[source].conditions.indices.contains(index)
        else { return nil }
        return remote.evaluations[source].conditions[index]
    }

    /// The texts of a row: the name, the setting, and a note. The setting is a member's value or the number of a
    /// condition's flags.
    func contextWords(_ row: ContextRow) -> (name: String, setting: String, note: String) {
        if let member = member(row) {
            let projectValue = member.base.map { ContextText.shown($0).orQuotes } ?? "nothing"
            return (
                member.name, member.value == nil ? "left out" : member.text.orQuotes,
                member.isOwn ? "You set it; the project file has \(projectValue)." : "From the project file."
            )
        }
        guard let condition = condition(row), case .condition(let source, let index) = row else {
            return ("Add a member", "", "Such as country=FR.")
        }
        let count = remote.evaluations[source].flagCounts[index].counted("flag")
        return (condition.name.string, count, Self.reason(condition))
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
