import FlagModel

/// The words for a condition or an attribute that the tester changed.
struct PartWords {
    let name: String
    let value: String
    /// What it would be without the change, and what depends on it.
    let note: String
    /// The kind, and why a condition applies or not.
    let details: [String]

    init(_ part: ContextPart, _ state: MenuState) {
        name = part.name.string
        let row = ContextRow.rows(of: state.remote.evaluations).first { $0.part == part }
        details = [part.kind.rawValue, row?.note].compactMap { $0 }
        let json = state.store.table.contexts.parts[part]
        let evaluation = state.remote.evaluations.first { $0.source == part.source.string }
        switch part.kind {
        case .attribute:
            value = json.map { $0 == "null" ? "left out" : ContextText.shown($0, for: part.name.string) } ?? ""
            let base = evaluation?.context?.first { $0.name == part.name.string }?.base
            note = base.map { "was \(ContextText.shown($0))" } ?? "not set otherwise"
        case .condition:
            value = part.shown(json)
            let index = evaluation?.conditions.firstIndex { $0.name == part.name }
            guard let evaluation, let index else {
                note = "its source is not in use"
                return
            }
            let (condition, count) = (evaluation.conditions[index], evaluation.flagCounts[index])
            let rule = condition.result == .applies ? "on" : "off"
            note = "\(rule == value ? "as its rule" : "was \(rule)"): \(count.counted("flag uses", "flags use")) it"
        }
    }

    /// The change as a sentence for line mode.
    var sentence: String { "\(details[0].capitalized) \(name): \(value), \(note)." }
}
