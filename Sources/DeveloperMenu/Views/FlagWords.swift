import FlagModel
import FlagQueries
import TerminalUI

/// The words for a flag in the list and in other views.
struct FlagWords {
    let facts: FlagFacts
    let charset: Charset

    /// A value for the list, as it is stored: JSON without its white space, quotes for an empty text.
    static func short(_ value: String?, _ type: FlagType, _ charset: Charset) -> String {
        guard let value else { return "not set" }
        if type == .json, let brackets = FoldedJSON.brackets(of: value, charset) {
            // Long JSON is shown only as brackets, so it need not be parsed.
            return value.utf8.count <= longestCompacted ? JSONSpacing.compact(value) ?? value : brackets
        }
        return value.orQuotes
    }

    /// The maximum size in bytes of JSON that the list shows in full. Larger JSON is folded.
    private static let longestCompacted = 4_096

    /// The value in use, for the list: by its name if it has one.
    var value: String { facts.valueName ?? Self.short(facts.value, facts.type, charset) }

    /// Whether the value in use is `true`, in any spelling; `nil` if the flag is not a bool.
    var isOn: Bool? { facts.type == .bool ? facts.value.flatMap(FlagReading.bool) : nil }

    /// The value cut to a number of columns by omitting its middle. JSON with little room is shown as its brackets.
    ///
    /// - Parameter text: ``value``, which the caller has computed already.
    func fitted(_ text: String, columns: Int) -> String {
        if DisplayText.fits(text, columns: columns, charset: charset) { return text }
        if facts.type == .json, columns < Self.leastJSON, let brackets = FoldedJSON.brackets(of: text, charset) {
            return brackets
        }
        return DisplayText.middleClipped(text, to: columns, charset: charset)
    }

    /// The minimum width of cut JSON. With fewer columns, JSON is shown as its brackets.
    private static let leastJSON = 12

    /// The room that a long name leaves for the value: that of the widest option, so that it is the same for all
    /// values; without options, that of the value.
    ///
    /// - Parameter width: the width of ``value``.
    func leastValue(width: Int) -> Int {
        let limit = ColumnNeeds.leastValue
        guard facts.hasChoice else { return min(limit, width) }
        return facts.options.map { DisplayText.width($0.value, upTo: limit, charset: charset) }.max() ?? 0
    }

    /// The maximum number of characters of an invalid value in a note.
    private static let longestInNote = 20

    /// The note of the row: what the value would be without the change, why an override is not used, or where the value
    /// is from. An ordinary remote value has no note.
    var note: String {
        if facts.explanation.winner == .launch {
            return facts.override == nil ? "launch" : "launch, override hidden"
        }
        guard facts.override != nil else {
            if facts.expiry != nil { return FlagFacts.expiredWord }
            if let team = facts.team, facts.explanation.winner == .team {
                return "team \(charset.separator) \(team.setBy ?? "shared")"
            }
            if let forced = facts.forcedCondition { return "condition \(forced), by hand" }
            return facts.explanation.winner == .default ? "default" : ""
        }
        switch facts.state {
        case .invalid:
            return
                "\(JSONOutput.quoted(facts.override?.value ?? "", limit: Self.longestInNote)) is not \(facts.type.article)"
        case .stale: return facts.base == nil ? "stale" : "stale, \(baseNote)"
        case .sameAsRemote: return "same as remote"
        case .notSet, .overridden: return baseNote
        }
    }

    /// What the value would be without the override.
    private var baseNote: String {
        guard let base = facts.base else { return "not set otherwise" }
        if facts.isSame(base.value?.string, facts.override?.value) { return "same as \(base.layer.word)" }
        let name = base.value.flatMap { facts.item?.name(of: $0.string, type: facts.type) }
        return "was \(name ?? Self.short(base.value?.string, facts.type, charset))"
    }
}

extension FlagType {
    /// The type with its article, for the sentence that a text is not of it.
    fileprivate var article: String {
        switch self {
        case .bool: "a bool"
        case .int: "a whole number"
        case .double: "a number"
        case .json: "JSON"
        case .string: "a text"
        }
    }
}

/// The text of a heading.
struct HeadingWords {
    let name: String
    /// The number of a category's flags that are below the heading, if not all are; otherwise the number of changed
    /// flags or, if it is 0, of all flags. Empty while a filter is set.
    let count: String

    init(_ group: FlagRows.Group, _ state: MenuState) {
        name = group.heading.name(on: state.board)
        count = state.list.filter.text.isEmpty ? Self.count(group, state) : ""
    }

    private static func count(_ group: FlagRows.Group, _ state: MenuState) -> String {
        if state.list.showsChangesOnly { return "\(group.count)" }
        if case .category(let index) = group.heading {
            let total = state.board.catalog.categories[index].items.count
            if group.count != total { return "\(group.count) of \(total) shown" }
        }
        return group.changedCount > 0
            ? "\(group.changedCount) of \(group.count) changed" : group.count.counted("flag")
    }
}

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
        details = [part.kind.rawValue, row?.words.note].compactMap { $0 }
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
