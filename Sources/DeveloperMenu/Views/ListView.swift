import FlagModel
import FlagQueries
import TerminalUI

/// The list of flags in aligned columns. The eye finds what differs: a changed row has a bar, its value in the accent
/// colour, and what it would be without the change.
struct ListView {
    let state: MenuState
    let region: Region
    private let columns: ListColumns
    private let matched: MatchedText

    init(_ state: MenuState, in region: Region) {
        (self.state, self.region) = (state, region)
        columns = ListColumns(state.needs, width: region.columns)
        matched = MatchedText(state)
    }

    /// The columns of values, counted from the list's left edge.
    var valueColumns: Range<Int> { columns.value..<max(columns.value, min(columns.note, columns.end)) }

    func draw(on frame: inout Frame) {
        let rows = state.list.rows
        for line in 0..<region.rows {
            let index = state.list.top + line
            guard rows.indices.contains(index) else { break }
            switch rows[index] {
            case .gap: break
            case .header(let group), .folded(let group):
                drawHeader(group, row: region.row + line, isFolded: rows[index].isSelectable, on: &frame)
            case .flag(let place):
                drawFlag(place, row: region.row + line, isSelected: index == state.list.selection, on: &frame)
            case .part(let part): drawPart(part, row: region.row + line, on: &frame)
            }
            if index == state.list.selection { markSelected(row: region.row + line, on: &frame) }
        }
        if rows.isEmpty { EmptyList(state: state).draw(in: region, on: &frame) }
        drawScrollBar(rows.count, on: &frame)
    }

    /// Draws the part of the list that is in view as a bar in the last column, if there is more.
    private func drawScrollBar(_ count: Int, on frame: inout Frame) {
        guard count > region.rows, region.rows > 0 else { return }
        let length = max(1, region.rows * region.rows / count)
        let start = (region.rows - length) * state.list.top / (count - region.rows)
        for row in start..<start + length {
            frame.write(
                state.charset.scrollBar, at: Position(row: region.row + row, column: region.columnRange.upperBound - 1),
                style: state.theme.faint)
        }
    }

    /// Draws the pointer, and the background of the selected row.
    private func markSelected(row: Int, on frame: inout Frame) {
        frame.write(">", at: Position(row: row, column: region.column), style: state.theme.title)
        let line = Region(row: row, column: region.column, rows: 1, columns: columns.end)
        frame.restyle(line) { $0 = state.theme.inSelectedRow($0) }
    }

    private func drawHeader(_ group: FlagRows.Group, row: Int, isFolded: Bool, on frame: inout Frame) {
        let words = HeadingWords(group, state)
        let room = region.columns - 4 - DisplayText.width(words.count)
        let name = isFolded ? "\(state.charset.folded) \(words.name)" : words.name
        frame.write(clipping: name, row: row, column: region.column + 1, columns: room, style: state.theme.header)
        frame.write(words.count, row: row, endingBefore: region.column + region.columns - 2, style: state.theme.faint)
    }

    private func drawPart(_ part: ContextPart, row: Int, on frame: inout Frame) {
        let words = PartWords(part, state)
        func width(_ text: String) -> Int { DisplayText.width(text, upTo: region.columns, charset: state.charset) }
        let layout = columns.row(
            name: width(words.name), value: width(words.value), note: width(words.note),
            leastValue: ColumnNeeds.leastValue)
        write(
            [
                (StyledLine(state.charset.bar, state.theme.bar), ListColumns.bar),
                (StyledLine(words.name, state.theme.plain), layout.name),
                (StyledLine(words.value, state.theme.changedValue), layout.value),
                (StyledLine(words.note, state.theme.faint), layout.note),
            ], row: row, on: &frame)
    }

    /// Writes the cells of a row, each in its columns.
    private func write(_ cells: [(line: StyledLine, columns: Range<Int>)], row: Int, on frame: inout Frame) {
        for (line, columns) in cells {
            frame.write(line, row: row, column: region.column + columns.lowerBound, columns: columns.count)
        }
    }

    private func drawFlag(_ place: FlagBoard.Place, row: Int, isSelected: Bool, on frame: inout Frame) {
        let facts = state.board.facts(at: place)
        let words = FlagWords(facts: facts, charset: state.charset)
        let (theme, charset) = (state.theme, state.charset)
        let wholeValue = words.value
        let valueWidth = DisplayText.width(wholeValue, upTo: region.columns, charset: charset)
        let note = note(words)
        let layout = columns.row(
            name: DisplayText.width(facts.name, upTo: region.columns, charset: charset), value: valueWidth,
            note: note.width(charset), leastValue: words.leastValue(width: valueWidth))
        let room = layout.value.count
        let value =
            matched.value(wholeValue, of: facts, columns: room)
            ?? words.fitted(wholeValue, columns: room)
        var cells: [(line: StyledLine, columns: Range<Int>)] = [
            (name(facts, columns: layout.name.count, isSelected ? theme.title : theme.plain), layout.name),
            (markedValue(value, of: facts, valueStyle(words)), layout.value),
        ]
        if facts.override != nil { cells.append((StyledLine(charset.bar, theme.bar), ListColumns.bar)) }
        if let glyph = glyph(words) { cells.append((glyph, ListColumns.glyph)) }
        if state.list.marks.contains(state.board.key(at: place)) {
            cells.append((StyledLine("+", theme.title), ListColumns.mark))
        }
        if layout.note.count >= min(note.width(charset), Self.leastNote) {
            let evidence =
                facts.override == nil
                ? matched.evidence(of: facts, shownValue: value, columns: layout.note.count, style: theme.faint) : nil
            cells.append((evidence ?? note, layout.note))
        }
        write(cells, row: row, on: &frame)
    }

    /// The minimum room for a longer note. If there is less, the note is not drawn.
    private static let leastNote = 12

    /// The glyph of a row: whether a bool is on, or that an override is invalid or a flag has expired.
    private func glyph(_ words: FlagWords) -> StyledLine? {
        if case .invalid = words.facts.state { return StyledLine("!", state.theme.error) }
        if words.facts.isOnlyExpired { return StyledLine("!", state.theme.faint) }
        return words.isOn.map {
            $0
                ? StyledLine(state.charset.fullCircle, state.theme.on)
                : StyledLine(state.charset.emptyCircle, state.theme.faint)
        }
    }

    private func valueStyle(_ words: FlagWords) -> Style {
        switch words.facts.state {
        case .overridden, .sameAsRemote, .stale: return state.theme.changedValue
        // An invalid override is not used: the value is from another layer, and is valid.
        case .notSet, .invalid: return words.isOn.map { $0 ? state.theme.on : state.theme.faint } ?? state.theme.plain
        }
    }

    /// The note of a row.
    private func note(_ words: FlagWords) -> StyledLine {
        if state.apps.reasonNotTaken(words.facts) != nil {
            return StyledLine("not taken", state.theme.changedValue)
        }
        if state.list.isSticky(words.facts) { return StyledLine("reset", state.theme.faint) }
        let style = if case .invalid = words.facts.state { state.theme.invalid } else { state.theme.faint }
        let parts = ([words.note] + words.facts.additions(at: state.now)).filter { !$0.isEmpty }
        return StyledLine(parts.joined(separator: " \(state.charset.separator) "), style)
    }

    /// The title, or else the key, with matched letters marked.
    private func name(_ facts: FlagFacts, columns: Int, _ style: Style) -> StyledLine {
        DisplayText.fits(facts.name, columns: columns, charset: state.charset)
            ? matched.line(facts.name, style: style)
            : StyledLine(DisplayText.middleClipped(facts.name, to: columns, charset: state.charset), style)
    }

    /// The value with matched letters marked.
    private func markedValue(_ value: String, of facts: FlagFacts, _ style: Style) -> StyledLine {
        var matched = matched
        matched.words.removeAll { !$0.matchesValue(value, of: facts) }
        return matched.line(value, .prose, style: style)
    }

    /// The cursor position at the pointer of the selected flag; `nil` if no flag is listed.
    var cursor: Position? {
        guard let selection = state.list.selection, region.rows > 0 else { return nil }
        return Position(row: region.row + selection - state.list.top, column: region.column)
    }
}

/// The text that is shown if no flag is listed: the reason, and what to do.
struct EmptyList {
    let state: MenuState

    func draw(in region: Region, on frame: inout Frame) {
        let columns = region.columns - 4
        let text = WrappedText(columns: columns, charset: state.charset)
        let styledLines = lines.enumerated().flatMap { index, line in
            text.lines(of: line, index == 0 ? state.theme.title : state.theme.faint)
        }
        let inside = region.droppingTop(1)
        frame.write(
            styledLines, in: Region(row: inside.row, column: region.column + 3, rows: inside.rows, columns: columns))
    }

    /// The reason, then the remedy.
    var lines: [String] {
        if state.target.isNone { return [] }
        if state.remote.condition == nil, state.remote.fetchedAt == nil { return ["Reading \(state.target.source)."] }
        if !state.list.filter.text.isEmpty {
            return ["No flag matches.", "\(state.keyWord(of: .cancel)) shows all flags."]
        }
        if state.list.showsChangesOnly {
            return [
                "You changed nothing.",
                "\(state.keyWord(of: .showOverriddenOnly)) shows all flags; \(state.keyWord(of: .toggle)) on one overrides it.",
            ]
        }
        let fetch = state.keyWord(of: .fetch)
        guard case .failed? = state.remote.condition else {
            return ["This source has no flags.", "Add a config_categories list to it. \(fetch) fetches again."]
        }
        return state.remote.errors.isEmpty
            ? ["No flags were read yet.", "\(fetch) fetches."]
            : ["No flags: the source could not be read.", "Fix the source. \(fetch) fetches again."]
    }
}
