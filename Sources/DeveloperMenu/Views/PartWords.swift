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
        let isText = part.kind == .attribute && json != "null"
        value = isText ? json.map { ContextText.shown($0, for: part.name.string) } ?? "" : part.shown(json)
        switch row?.content {
        case .member(let member): note = member.base.map { "was \(ContextText.shown($0))" } ?? "not set otherwise"
        case .condition(let condition, let flagCount):
            let rule = condition.result == .applies ? "on" : "off"
            let uses = flagCount.counted("flag uses", "flags use")
            note = "\(rule == value ? "as its rule" : "was \(rule)"): \(uses) it"
        case .add, nil: note = part.kind == .attribute ? "not set otherwise" : "its source is not in use"
        }
    }

    /// The change as a sentence for line mode.
    var sentence: String { "\(details[0].capitalized) \(name): \(value), \(note)." }
}
