import FlagModel
import FlagQueries
import TerminalUI

/// The explanation of a flag in styled lines: the flag, its value in every layer, its conditions and options, and how
/// to clear its override. The detail pane and the explanation sheet show these lines.
struct ExplanationText {
    private let content: ExplanationContent
    private let state: MenuState
    let columns: Int
    private let showsTitle: Bool
    private let isUnfolded: Bool

    /// - Parameters:
    ///   - showsTitle: whether the title is the first line; `false` in a sheet, which has its own title.
    ///   - isUnfolded: whether long JSON is shown in full, on several lines.
    init(facts: FlagFacts, state: MenuState, columns: Int, showsTitle: Bool = true, isUnfolded: Bool = false) {
        content = state.explanation(of: facts)
        (self.state, self.columns) = (state, columns)
        (self.showsTitle, self.isUnfolded) = (showsTitle, isUnfolded)
    }

    private var facts: FlagFacts { content.facts }

    var lines: [StyledLine] {
        identity + description + metadata + whyThisValue + appLines + conditionLines + optionLines + actions
    }

    /// Whether any value is JSON that is too long for its line, so that it can be folded.
    var hasFoldedValues: Bool {
        let options = facts.listsOptions ? facts.choices.map(\.value) : []
        return content.rows.contains { $0.value.map { folded($0, indent: 15) != nil } ?? false }
            || options.contains { folded($0, indent: 8) != nil }
    }

    private var text: WrappedText { WrappedText(columns: columns, charset: state.charset) }

    /// The folded form of a value that is JSON and does not fit on one line; `nil` for any other value.
    private func folded(_ value: String, indent: Int) -> String? {
        guard facts.type == .json else { return nil }
        if DisplayText.fits(value, columns: columns - indent, charset: state.charset) { return nil }
        return FoldedJSON(value)?.summary(state.charset)
    }

    /// The title, the key and the type.
    private var identity: [StyledLine] {
        let hasTitle = facts.item?.title != nil
        let title = hasTitle && showsTitle ? marked(facts.name, .name, state.theme.title) : []
        let type = facts.type.rawValue + (facts.bounds.map { " \(state.charset.separator) \($0.summary)" } ?? "")
        // If the sheet's title is the key, the key is repeated only if the title cuts it.
        let isKeyInTitle =
            !showsTitle && !hasTitle && DisplayText.fits(facts.key, columns: columns - 2, charset: state.charset)
        guard !isKeyInTitle else { return [StyledLine(type, state.theme.faint)] }
        let keyStyle = hasTitle ? state.theme.plain : state.theme.title
        let line = MatchedText(state).line(facts.key, style: keyStyle)
            .adding(" \(state.charset.separator) \(type)", state.theme.faint)
        if line.width(state.charset) <= columns { return title + [line] }
        return title + marked(facts.key, .name, keyStyle) + text.lines(of: type, state.theme.faint)
    }

    private var description: [StyledLine] {
        guard let details = facts.item?.details, !details.isEmpty else { return [] }
        return [StyledLine()] + marked(details.string, .prose, state.theme.plain)
    }

    /// The text in wrapped lines, with the filter's matches marked.
    private func marked(_ text: String, _ kind: MatchedText.Kind, _ style: Style) -> [StyledLine] {
        let matched = MatchedText(state)
        return DisplayText.wrapped(text, columns: columns, charset: state.charset).map {
            matched.line($0, kind, style: style)
        }
    }

    private var metadata: [StyledLine] {
        var lines = content.metadata.flatMap { label, value in
            let label = StyledLine(DisplayText.padded(label, to: 9), state.theme.faint)
            return text.labelled(label, value, .plain, state.theme.faint, breaksAtWords: true)
        }
        if let restart = content.restart { lines += text.lines(of: restart, state.theme.faint) }
        lines += facts.mismatches.flatMap { text.lines(of: $0, state.theme.invalid) }
        return lines.isEmpty ? [] : [StyledLine()] + lines
    }

    private var whyThisValue: [StyledLine] {
        let sentence = facts.state.sentence.map { text.lines(of: $0, state.theme.style(of: facts.state)) }
        return section("Why this value", content.rows.flatMap(valueLines) + (sentence ?? []))
    }

    /// What the running apps that declare the flag do about it.
    private var appLines: [StyledLine] {
        section(
            "Running apps",
            state.apps.lines(of: facts).flatMap { line in
                text.labelled(
                    StyledLine("  \(line.app) ", state.theme.faint), line.summary,
                    line.isTaken ? .plain : state.theme.changedValue, state.theme.faint, breaksAtWords: true)
            })
    }

    /// Lines below a heading; none without lines.
    private func section(_ heading: String, _ lines: [StyledLine]) -> [StyledLine] {
        lines.isEmpty ? [] : [StyledLine(), StyledLine(heading, state.theme.header)] + lines
    }

    /// The lines of a row: the layer or the source, the stored value, and the note.
    private func valueLines(_ row: ExplanationContent.Row) -> [StyledLine] {
        let faint = state.theme.faint
        if row.isOtherSource {
            return valueLines(StyledLine("      \(row.name)  ", faint), row.value ?? "", faint, note: row.note)
        }
        let layer = "  " + DisplayText.padded("\(row.isWinner ? ">" : " ") \(row.name)", to: 13)
        guard let value = row.value else {
            return text.labelled(StyledLine(layer, faint), "not set", faint, note: row.note, faint)
        }
        let style = row.isWinner ? state.theme.title : state.theme.plain
        return valueLines(StyledLine(layer, style), value, row.isCastable ? style : state.theme.invalid, note: row.note)
    }

    /// The lines of a value after its label. JSON that does not fit on one line is shown folded or, if ``isUnfolded``,
    /// in indented lines below the label.
    private func valueLines(_ label: StyledLine, _ value: String, _ style: Style, note: String) -> [StyledLine] {
        let indent = label.width(state.charset)
        guard let summary = folded(value, indent: indent) else {
            return text.labelled(label, value, style, note: note, state.theme.faint)
        }
        let head = text.labelled(label, summary, style, note: note, state.theme.faint)
        guard isUnfolded else { return head }
        let indented = JSONSpacing.indented(value) ?? value
        let inner = WrappedText(columns: columns - 4, charset: state.charset)
        let body = indented.split(separator: "\n").flatMap { inner.pieces(of: String($0)) }
        return head + body.map { StyledLine("    \($0)") }
    }

    /// The conditions in order of evaluation. The condition that decides is marked.
    private var conditionLines: [StyledLine] {
        section(
            "Conditions",
            facts.remoteConditions.flatMap { step in
                let decides = step.part == .decides
                let style = decides ? state.theme.title : state.theme.plain
                let mark = decides ? state.charset.fullCircle : state.charset.emptyCircle
                return text.labelled(
                    StyledLine("    \(mark) ", style), step.condition.name.string, style,
                    note: step.words.joined(separator: ": "), state.theme.faint)
            })
    }

    private var optionLines: [StyledLine] {
        guard facts.listsOptions else { return [] }
        return section(
            "Options",
            facts.choices.flatMap { choice in
                let isNow = facts.isSame(choice.value, facts.value)
                let mark = isNow ? "(\(state.charset.bullet))" : "( )"
                let style = isNow ? state.theme.title : state.theme.plain
                let label = StyledLine("    \(mark) ", style)
                return valueLines(label, choice.value, style, note: facts.marks(of: choice))
            })
    }

    /// The lines with the key that clears the override; empty if there is no override.
    private var actions: [StyledLine] {
        guard facts.override != nil else { return [] }
        let action = facts.useRemoteText
        let key = StyledLine("\(state.keyName(of: .clear))  ", state.theme.key)
        return [StyledLine()] + text.labelled(key, action, .plain, state.theme.faint, breaksAtWords: true)
    }
}

extension FlagFacts {
    /// The marks of an option: whether it is the current, remote or default value, and its label.
    func marks(of choice: FlagOption) -> String {
        var marks = isSame(choice.value, value) ? ["now"] : []
        if isSame(explanation.value(in: .remote)?.string, choice.value) { marks.append("remote") }
        if isSame(explanation.value(in: .default)?.string, choice.value) { marks.append("default") }
        if let label = choice.label { marks.append(label) }
        return marks.joined(separator: ", ")
    }

    /// The label of the action that clears an override. The label names the value that is used afterwards.
    var useRemoteText: String {
        guard let base, let value = base.value?.string else {
            return "reset (no other value)"
        }
        return "reset to \(value.orQuotes) (\(base.layer.word))"
    }
}

extension MenuState {
    /// The current explanation of a flag.
    func explanation(of facts: FlagFacts) -> ExplanationContent {
        let remoteNote =
            switch remote.condition {
            case nil: "being read"
            case .read(let moment)?: ExplanationContent.fetched(at: moment, now: now)
            case .failed(_, let moment?)?: "cached \(moment.age(at: now))"
            case .failed(_, nil)?, .unread?: ""
            }
        return ExplanationContent(facts, in: board.snapshot, sources: remote.sources, remote: remoteNote, now: now)
    }
}
