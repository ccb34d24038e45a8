import FlagModel
import FlagQueries

// Changing the evaluation context and conditions, and the results of these changes.
extension MenuState {
    mutating func openContext() -> [Effect] { open(ContextSheet()) }

    /// Opens the sheet with a condition or an attribute selected.
    mutating func openContext(at part: ContextPart) -> [Effect] {
        guard let index = ContextRow.rows(of: remote.evaluations).firstIndex(where: { $0.part == part }) else {
            return show(
                "\(part.source.string) is not a source of this menu. \(keyWord(of: .clear)) resets it.", .rejection)
        }
        var sheet = ContextSheet()
        sheet.select(index, in: self)
        return open(sheet)
    }

    /// Sets a condition that was set by hand to the opposite.
    mutating func toggle(_ part: ContextPart) -> [Effect] {
        let isOn = store.table.contexts.parts[part] == "true"
        return change(part.source.string, [.decide(condition: part.name.string, applies: !isOn)])
    }

    /// Takes back the change of a condition or an attribute.
    mutating func reset(_ part: ContextPart) -> [Effect] {
        change(part.source.string, [.restore(part.kind, part.name.string)])
    }

    /// Why there is no context to change; `nil` if there is one.
    var contextReason: String? {
        remote.evaluations.contains { $0.context != nil || !$0.conditions.isEmpty }
            ? nil : "No source here uses a context or has conditions."
    }

    /// Sets a member of a source's context.
    ///
    /// - Parameters:
    ///   - text: the typed value or, if `name` is `nil`, the name and the value, such as `country=FR`.
    ///   - name: the member's name; `nil` if the text contains the name.
    ///   - source: the name of the source.
    /// - Returns: the effects, and the error in the text as a sentence; the error is `nil` if the text is valid.
    mutating func setMember(
        _ text: String, named name: String?, of source: String
    ) -> (effects: [Effect], error: String?) {
        guard let evaluation = remote.evaluations.first(where: { $0.source == source }) else {
            return ([], "\(source) is no longer evaluated.")
        }
        guard let (name, value) = name.map({ ($0, text) }) ?? Self.member(in: text) else {
            return ([], "Write the name, the sign = and the value, such as country=FR.")
        }
        let existing = evaluation.context?.first { $0.name == name }
        let json = ContextText.json(value, for: name, known: existing?.value ?? existing?.base)
        return (change(evaluation.source, [.set(name: name, value: json)]), nil)
    }

    /// The name and the value in a text such as `country=FR`; `nil` if there is no name or no `=`.
    private static func member(in text: String) -> (String, String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = String(text[..<equals]).trimmed
        return name.isEmpty ? nil : (name, String(text[text.index(after: equals)...]))
    }

    /// Requests edits of a source's context override.
    mutating func change(_ source: String, _ edits: [ContextEdit]) -> [Effect] {
        let change = ContextChange(source: source, edits: edits)
        let id = makeRequestID()
        lastCommands = commands.contextEdits(edits, ofSource: source)
        remote.contextChanges.append(.init(id: id, change: change, values: board.values.remote))
        return [.changeContext(id: id, change)]
    }

    /// Handles the result of a changed context override.
    mutating func receive(_ report: ContextReport) {
        switch report {
        case .changed(let id, let content, let notice):
            let previousValues = remote.contextChanges.first { $0.id == id }?.values ?? board.values.remote
            remote.endContextChange(id)
            remote.activity = .idle
            use(content, isResponse: true)
            show(notice ?? changeSentence(since: previousValues))
        case .awaited(let id, let evaluations, let notice):
            remote.endContextChange(id)
            (remote.contextValues, remote.savedEvaluations) = (.awaited, evaluations)
            show(notice ?? "Saved. Fetching its values.")
        case .withoutValues(let id, let errors, let evaluations):
            if let id { remote.endContextChange(id) }
            remote.activity = .idle
            (remote.contextValues, remote.savedEvaluations, remote.errors) = (.missing, evaluations, errors)
            showContextHasNoValues()
        case .refused(let id, let reason):
            remote.endContextChange(id)
            show(reason, .rejection)
        }
        updateSheet()
    }

    /// Shows that the sources have no values yet for the changed context.
    mutating func showContextHasNoValues() {
        show(
            remote.fetchedAt == nil
                ? "There are no values for this context. \(keyWord(of: .context)) changes it."
                : "Saved, but this context has no values yet. Earlier values are shown.", .rejection)
    }
}
