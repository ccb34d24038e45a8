import FlagModel
import FlagQueries

// Changing the evaluation context and conditions, and the results of these changes.
extension MenuState {
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
