import FlagModel
import FlagQueries
import TerminalUI

/// The list of flags in aligned columns.
struct ListView {
    let state: MenuState
    let region: Region
    private let columns: ListColumns
    private let matched: MatchedText
    /// The width of the widest visible name that leaves room for the text that shows a match. All these texts begin
    /// behind it, in one column.
    private let widestName: Int

    init(_ state: MenuState, in region: Region) {
        self.state = state
        self.region = region
        columns = ListColumns(state.needs, width: region.columns)
        matched = MatchedText(state)
        let limit = columns.value.lowerBound - ListColumns.nameStart - Self.evidenceGap - Self.leastEvidence
        let visible = matched.words.isEmpty ? [] : state.list.rows.dropFirst(state.list.top).prefix(region.rows)
        widestName = visible.reduce(0) { widest, row in
            guard case .flag(let place) = row else { return widest }
            let name = state.board.facts(at: place).name
            let width = DisplayText.width(name, upTo: region.columns, charset: state.charset)
            return width > limit ? widest : max(widest, width)
        }
    }

    /// The column that names start in, counted from the list's left edge.
    static let nameColumn = ListColumns.nameStart
    /// The columns of values, counted from the list's left edge.
    var valueColumns: Range<Int> { columns.value }

    func draw(on frame: inout Frame) {
        let rows = state.list.rows
        for line in 0..<region.rows {
            let index = state.list.top + line
            guard rows.indices.contains(index) else { break }
            switch rows[index] {
            case .gap: break
            case .header(let heading): drawHeader(heading, row: region.row + line, on: &frame)
            case .flag(let place):
                drawFlag(place, row: region.row + line, isSelected: index == state.list.selection, on: &frame)
            }
        }
        if rows.isEmpty { EmptyList(state: state).draw(in: region, on: &frame) }
        frame.drawScrollHint(
            beside: region.rowRange, column: region.columnRange.upperBound - 1, above: state.list.top > 0,
            below: state.list.top + region.rows < rows.count, style: state.theme.faint)
    }

    private func drawHeader(_ heading: FlagRows.Heading, row: Int, on frame: inout Frame) {
        let words = HeadingWords(heading, state)
        let room = region.columns - 4 - DisplayText.width(words.count)
        frame.write(clipping: words.name, row: row, column: region.column + 1, columns: room, style: state.theme.header)
        frame.write(words.count, row: row, endingBefore: region.column + region.columns - 2, style: state.theme.faint)
    }

    private func drawFlag(_ place: FlagBoard.Place, row: Int, isSelected: Bool, on frame: inout Frame) {
        let facts = state.board.facts(at: place)
        let words = FlagWords(facts: facts, charset: state.charset)
        let isFilled = isSelected && state.theme.fillsSelection
        if isSelected { drawPointer(row: row, on: &frame) }
        func put(_ text: String, _ range: Range<Int>, _ style: Style) {
            guard range.count > 1 else { return }
            frame.write(
                clipping: text, row: row, column: region.column + range.lowerBound, columns: range.count - 1,
                style: isFilled ? state.theme.selection : style)
        }
        if state.list.marks.contains(state.board.key(at: place)) {
            put("+", ListColumns.mark..<ListColumns.mark + 2, state.theme.title)
        }
        put(String(words.marker), ListColumns.marker..<ListColumns.marker + 2, state.theme.marker(facts.state))
        let (wholeValue, room) = (words.value, columns.value.count - 1)
        let matchedValue = MatchEvidence.value(wholeValue, of: facts, matched, columns: room, charset: state.charset)
        let value = matchedValue ?? words.fitted(wholeValue, columns: room)
        let rowColumns = columns.rowColumns(
            name: DisplayText.width(facts.name, upTo: region.columns, charset: state.charset),
            value: DisplayText.width(value, charset: state.charset))
        drawName(facts, in: rowColumns.name, row: row, isFilled: isFilled, on: &frame)
        put(value, rowColumns.value, state.theme.value(facts.state))
        drawEvidence(facts, value: value, rowColumns, row: row, isFilled: isFilled, on: &frame)
        markValue(value, of: facts, in: rowColumns.value, row: row, isFilled: isFilled, on: &frame)
        let isTaken = state.apps.reasonNotTaken(facts) == nil
        let notice = !isTaken ? Self.notTaken : state.list.isSticky(facts) ? "cleared" : nil
        let layer = columns.note.isEmpty ? notice ?? words.layerOrState : words.layer
        let style = isTaken ? state.theme.style(of: facts.state) : state.theme.overridden
        put(layer, columns.layer, facts.override == nil && isTaken ? state.theme.faint : style)
        put(notice ?? words.note, columns.note, style)
    }

    /// The word for a change that no running app uses.
    static let notTaken = "not taken"

    /// Draws the pointer at the left edge, and fills the row if the theme fills selected rows. Without a fill, each
    /// move of the selection sends only a few characters to the terminal instead of two whole lines.
    private func drawPointer(row: Int, on frame: inout Frame) {
        if state.theme.fillsSelection {
            let line = Region(row: row, column: region.column, rows: 1, columns: region.columns)
            frame.fill(line, style: state.theme.selection)
        }
        let isFilled = state.theme.fillsSelection
        frame.write(
            isFilled ? ">" : state.charset.pointer, at: Position(row: row, column: region.column), limit: 1,
            style: isFilled ? state.theme.selection : state.theme.pointer)
    }

    /// Draws the title, or else the key, with matched letters marked.
    private func drawName(
        _ facts: FlagFacts, in columns: Range<Int>, row: Int, isFilled: Bool, on frame: inout Frame
    ) {
        let style = isFilled ? state.theme.selection : state.theme.plain
        let match = isFilled ? state.theme.matchInSelection : state.theme.match
        let start = region.column + columns.lowerBound
        let room = columns.count
        if DisplayText.fits(facts.name, columns: room, charset: state.charset) {
            let line = matched.line(facts.name, style: style, match: match)
            frame.write(line, row: row, column: start, columns: room)
        } else {
            let text = DisplayText.middleClipped(facts.name, to: room, charset: state.charset)
            frame.write(text, at: Position(row: row, column: start), limit: room, style: style)
        }
    }

    /// Draws the text that shows why the flag matches the filter, unless the flag's name or value in the row shows it.
    /// The text is drawn after the name or after the value, depending on where there is more room.
    private func drawEvidence(
        _ facts: FlagFacts, value: String, _ rowColumns: (name: Range<Int>, value: Range<Int>), row: Int,
        isFilled: Bool, on frame: inout Frame
    ) {
        guard !matched.words.isEmpty else { return }
        func columnsAfter(_ width: Int, in columns: Range<Int>) -> Range<Int> {
            let start = columns.lowerBound + width + Self.evidenceGap
            return start..<max(start, columns.upperBound)
        }
        func width(_ text: String) -> Int { DisplayText.width(text, upTo: region.columns, charset: state.charset) }
        let afterName = columnsAfter(max(widestName, width(facts.name)), in: rowColumns.name)
        let afterValue = columnsAfter(width(value), in: rowColumns.value.dropLast())
        let place = afterName.count >= afterValue.count ? afterName : afterValue
        guard place.count >= Self.leastEvidence,
            let evidence = MatchEvidence(
                matched, facts: facts, shownValue: value, columns: place.count, charset: state.charset)
        else { return }
        let faint = isFilled ? state.theme.selection : state.theme.faint
        let match = isFilled ? state.theme.matchInSelection : state.theme.match
        let line = matched.line(evidence.text, evidence.kind, style: faint, match: match)
        frame.write(line, row: row, column: region.column + place.lowerBound, columns: place.count)
    }

    /// Marks matched letters in the value.
    private func markValue(
        _ value: String, of facts: FlagFacts, in columns: Range<Int>, row: Int, isFilled: Bool, on frame: inout Frame
    ) {
        let words = matched.words.filter { $0.matchesValue(value, of: facts) }
        guard !words.isEmpty, columns.count > 1 else { return }
        let style = isFilled ? state.theme.selection : state.theme.value(facts.state)
        let match = isFilled ? state.theme.matchInSelection : state.theme.match
        let line = MatchedText(words: words).line(value, .prose, style: style, match: match)
        frame.write(
            line, row: row, column: region.column + columns.lowerBound, columns: columns.count - 1)
    }

    /// The number of columns between a name or value and the matching text.
    private static let evidenceGap = 2
    /// The minimum room for a matching text. If there is less, the text is not drawn.
    private static let leastEvidence = 8

    /// The cursor position at the name of the selected flag, as a cursor at the marker would hide the marker; `nil` if
    /// no flag is listed.
    var cursor: Position? {
        guard let selection = state.list.selection, region.rows > 0 else { return nil }
        return Position(row: region.row + selection - state.list.top, column: region.column + Self.nameColumn)
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
        for (index, line) in styledLines.prefix(max(0, region.rows - 1)).enumerated() {
            frame.write(line, row: region.row + 1 + index, column: region.column + 3, columns: columns)
        }
    }

    /// The reason, then the remedy.
    var lines: [String] {
        if state.target.isNone { return [] }
        if state.remote.phase == .loading, state.remote.fetchedAt == nil { return ["Reading \(state.target.source)."] }
        if !state.list.filter.text.isEmpty {
            return ["No flag matches.", "\(state.keyWord(of: .cancel)) shows all flags."]
        }
        if state.list.showsOverriddenOnly {
            return [
                "Nothing is overridden.",
                "\(state.keyWord(of: .showOverriddenOnly)) shows all flags; \(state.keyWord(of: .toggle)) on one overrides it.",
            ]
        }
        if case .failed = state.remote.phase, state.remote.errors.isEmpty {
            return ["No flags were read yet.", "\(state.keyWord(of: .fetch)) fetches."]
        }
        if case .failed = state.remote.phase {
            return [
                "No flags: the source could not be read.",
                "Fix the source. \(state.keyWord(of: .fetch)) fetches again.",
            ]
        }
        return [
            "This source has no flags.",
            "Add a config_categories list to it. \(state.keyWord(of: .fetch)) fetches again.",
        ]
    }
}
