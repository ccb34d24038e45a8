import FlagModel
import TerminalUI

/// Everything about one flag in lines: what it is, its value in every layer, its options, and what can be done.
///
/// The detail pane and the explanation sheet show the same lines.
struct ExplanationText {
    let facts: FlagFacts
    let state: MenuState
    let columns: Int
    /// `false` where the title stands above already.
    var showsTitle = true
    /// Whether long JSON is shown whole, in lines.
    var isUnfolded = false

    var lines: [StyledLine] {
        identity + description + metadata + whyThisValue + conditionLines + optionLines + actions
    }

    /// `true` when a value is shown folded, or would be.
    var hasFoldedValues: Bool {
        let options = facts.hasOptionList ? OptionList.choices(of: facts).map(\.value) : []
        return facts.explanation.entries.contains { $0.value.map { folded($0.string, indent: 15) != nil } ?? false }
            || options.contains { folded($0, indent: 8) != nil }
    }

    private var text: WrappedText { WrappedText(columns: columns, charset: state.charset) }

    /// What stands for a value that is JSON and does not fit on one line; `nil` for any other.
    private func folded(_ value: String, indent: Int) -> String? {
        guard facts.type == .json else { return nil }
        // As many characters as there are columns tell it; a megabyte need not be measured.
        let head = String(value.prefix(max(0, columns)))
        guard DisplayText.width(head, charset: state.charset) > columns - indent else { return nil }
        return FoldedJSON(value)?.summary(state.charset)
    }

    private var words: FlagWords { FlagWords(facts: facts, charset: state.charset) }

    private var identity: [StyledLine] {
        let hasTitle = facts.item?.title != nil
        let title = hasTitle && showsTitle ? marked(facts.name, .name, state.theme.title) : []
        let type = facts.type.rawValue + (facts.bounds.map { " \(state.charset.separator) \($0.words)" } ?? "")
        // A key that stands above as the title is not said again, unless it was cut there.
        let isSaid = !showsTitle && !hasTitle && DisplayText.width(facts.key, charset: state.charset) <= columns - 2
        guard !isSaid else { return [StyledLine(type, state.theme.faint)] }
        let keyStyle = hasTitle ? state.theme.plain : state.theme.title
        let line = MatchedText(state).line(facts.key, style: keyStyle, match: state.theme.match)
            .adding(" \(state.charset.separator) \(type)", state.theme.faint)
        if line.width(state.charset) <= columns { return title + [line] }
        return title + marked(facts.key, .name, keyStyle) + wrapped(type, state.theme.faint)
    }

    private var description: [StyledLine] {
        guard let details = facts.item?.details, !details.isEmpty else { return [] }
        return [StyledLine()] + marked(details.string, .prose, state.theme.plain)
    }

    /// The text in lines, with what the filter looks for marked in each.
    private func marked(_ text: String, _ kind: MatchedText.Kind, _ style: Style) -> [StyledLine] {
        let matched = MatchedText(state)
        return DisplayText.wrapped(text, columns: columns, charset: state.charset).map {
            matched.line($0, kind, style: style, match: state.theme.match)
        }
    }

    private var metadata: [StyledLine] {
        guard let item = facts.item else { return [] }
        var lines: [StyledLine] = []
        func add(_ label: String, _ value: String) {
            let label = StyledLine(DisplayText.padded(label, to: 9), state.theme.faint)
            lines += text.labelled(label, value, .plain, state.theme.faint, breaksAtWords: true)
        }
        if let owner = item.owner { add("Owner", owner.string) }
        if let expires = item.expires { add("Expires", expires.string) }
        if !item.requires.isEmpty { add("Requires", item.requires.map(\.string).joined(separator: ", ")) }
        if item.needsRestart { lines += wrapped("The app reads it at its next start.", state.theme.faint) }
        return lines.isEmpty ? [] : [StyledLine()] + lines
    }

    private var whyThisValue: [StyledLine] {
        var lines = [StyledLine(), StyledLine("Why this value", state.theme.header)]
        for entry in facts.explanation.entries {
            lines += layerLines(entry)
            if entry.layer == .remote { lines += otherSources }
        }
        if let sentence = facts.state.sentence { lines += wrapped(sentence, state.theme.words(facts.state)) }
        return lines
    }

    private var sourceValues: SourceValues {
        SourceValues(of: facts.key, in: state.board.snapshot, sources: state.sources, now: state.now)
    }

    /// What the sources behind the one whose value is in use would say.
    private var otherSources: [StyledLine] {
        let values = sourceValues
        return values.holders.dropFirst().flatMap { holder in
            valueLines(
                StyledLine("      \(holder.source.title)  ", state.theme.faint), holder.value.string, state.theme.faint,
                note: values.note(of: holder))
        }
    }

    /// The layer, its value as it is stored, and what is known of it; a second line where one is too short.
    private func layerLines(_ entry: Explanation.Entry) -> [StyledLine] {
        let isWinner = entry.layer == facts.explanation.winner
        let layer = DisplayText.padded("\(isWinner ? ">" : " ") \(entry.layer.word)", to: 13)
        let style = isWinner ? state.theme.title : state.theme.plain
        guard let value = entry.value?.string else {
            let label = StyledLine("  \(layer)", state.theme.faint)
            return text.labelled(label, "not set", state.theme.faint, note: note(entry), state.theme.faint)
        }
        return valueLines(
            StyledLine("  \(layer)", style), value, entry.isCastable ? style : state.theme.invalid, note: note(entry))
    }

    /// A value behind its label; JSON that takes more than a line folded, or in lines of its own.
    private func valueLines(_ label: StyledLine, _ value: String, _ style: Style, note: String) -> [StyledLine] {
        let indent = label.width(state.charset)
        guard let summary = folded(value, indent: indent) else {
            return text.labelled(label, value, style, note: note, state.theme.faint)
        }
        let head = text.labelled(label, summary, style, note: note, state.theme.faint)
        guard isUnfolded else { return head }
        let laidOut = JSONSpacing.indented(value) ?? value
        let inner = WrappedText(columns: columns - 4, charset: state.charset)
        let body = laidOut.split(separator: "\n").flatMap { inner.pieces(of: String($0)) }
        return head + body.map { StyledLine("    \($0)") }
    }

    /// What is known of a layer's value besides the value.
    func note(_ entry: Explanation.Entry) -> String {
        LayerNote(entry, of: facts, remote: remoteNote, now: state.now).text
    }

    private var remoteNote: String {
        if let note = sourceValues.note { return note }
        return switch state.remote {
        case .loading: "being read"
        // Values that wait for activation are younger than the active ones.
        case .loaded(let moment): LayerNote.fetched(at: state.loadedAt ?? moment, now: state.now)
        case .failed(let moment?): "kept from \(moment.age(at: state.now))"
        case .failed(nil): ""
        }
    }

    /// The conditions in the order in which they were asked, and which of them decides.
    private var conditionLines: [StyledLine] {
        guard !facts.remoteConditions.isEmpty else { return [] }
        return [StyledLine(), StyledLine("Conditions", state.theme.header)]
            + facts.remoteConditions.flatMap { step in
                let decides = step.part == .decides
                let style = decides ? state.theme.title : state.theme.plain
                let mark = decides ? state.charset.fullCircle : state.charset.emptyCircle
                let note = [step.word, step.why].filter { !$0.isEmpty }.joined(separator: ": ")
                return text.labelled(
                    StyledLine("    \(mark) ", style), step.condition.name.string, style, note: note, state.theme.faint)
            }
    }

    private var optionLines: [StyledLine] {
        guard facts.hasOptionList else { return [] }
        let choices = OptionList.choices(of: facts)
        return [StyledLine(), StyledLine("Options", state.theme.header)]
            + choices.flatMap { choice in
                let isNow = facts.isSame(choice.value, facts.value)
                let mark = isNow ? "(\(state.charset.bullet))" : "( )"
                let style = isNow ? state.theme.title : state.theme.plain
                let marks = OptionMarks(choice, facts: facts, isNow: isNow).text
                return valueLines(StyledLine("    \(mark) ", style), choice.value, style, note: marks)
            }
    }

    private var actions: [StyledLine] {
        guard facts.override != nil else { return [] }
        let action = UseRemote(facts: facts).text
        let key = StyledLine("\(state.keyName(of: .clear))  ", state.theme.key)
        return [StyledLine()] + text.labelled(key, action, .plain, state.theme.faint, breaksAtWords: true)
    }

    private func wrapped(_ sentence: String, _ style: Style) -> [StyledLine] { text.lines(of: sentence, style) }
}

/// The words behind an option: which layers say it, and which conditions choose it.
struct OptionMarks {
    let text: String

    init(_ choice: OptionList.Choice, facts: FlagFacts, isNow: Bool) {
        var marks = isNow ? ["now"] : []
        if facts.isSame(facts.explanation.value(in: .remote)?.string, choice.value) { marks.append("remote") }
        if facts.isSame(facts.explanation.value(in: .default)?.string, choice.value) { marks.append("default") }
        if let label = choice.label { marks.append(label) }
        text = marks.joined(separator: ", ")
    }
}

/// The action that clears an override, with what comes back.
struct UseRemote {
    let facts: FlagFacts

    var text: String {
        guard let base = facts.base, let value = base.value?.string else {
            return "clear the override (no other value)"
        }
        return "use \(base.layer.word) (\(value.orQuotes))"
    }
}
