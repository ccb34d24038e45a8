import FlagModel
import TerminalUI

/// The flags, category by category, in aligned columns.
struct ListView {
    let state: MenuState
    let region: Region
    private let columns: ListColumns
    private let matched: MatchedText

    init(_ state: MenuState, in region: Region) {
        self.state = state
        self.region = region
        columns = ListColumns(state.needs, width: region.columns)
        matched = MatchedText(state)
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

    private func drawHeader(_ heading: FlagList.Heading, row: Int, on frame: inout Frame) {
        let words = HeadingWords(heading, state)
        let room = region.columns - 4 - DisplayText.width(words.count)
        frame.write(clipping: words.name, row: row, column: region.column + 1, columns: room, style: state.theme.header)
        frame.write(words.count, row: row, endingBefore: region.column + region.columns - 2, style: state.theme.faint)
    }

    private func drawFlag(_ place: FlagBoard.Place, row: Int, isSelected: Bool, on frame: inout Frame) {
        let facts = state.board.facts(at: place)
        let words = FlagWords(facts: facts, charset: state.charset)
        let isFilled = isSelected && state.theme.fillsSelection
        if isSelected { point(row: row, on: &frame) }
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
        let (whole, room) = (words.value, columns.value.count - 1)
        let found = MatchEvidence.value(whole, of: facts, matched, columns: room, charset: state.charset)
        let value = found ?? words.fitted(whole, columns: room)
        let parts = columns.places(
            name: DisplayText.width(facts.name, upTo: region.columns, charset: state.charset),
            value: DisplayText.width(value, charset: state.charset))
        drawName(facts, in: parts.name, row: row, isFilled: isFilled, on: &frame)
        put(value, parts.value, state.theme.value(facts.state))
        drawEvidence(facts, value: value, parts, row: row, isFilled: isFilled, on: &frame)
        markValue(value, of: facts, in: parts.value, row: row, isFilled: isFilled, on: &frame)
        let isLingering = state.list.isLingering(facts)
        let layer = columns.note.isEmpty ? isLingering ? "cleared" : words.layerOrState : words.layer
        put(layer, columns.layer, facts.override == nil ? state.theme.faint : state.theme.words(facts.state))
        put(isLingering ? "cleared" : words.note, columns.note, state.theme.words(facts.state))
    }

    /// The pointer at the left edge, and the fill if the theme has one. A row that only gets a pointer costs a slow
    /// terminal connection a few characters instead of two whole lines.
    private func point(row: Int, on frame: inout Frame) {
        if state.theme.fillsSelection {
            let line = Region(row: row, column: region.column, rows: 1, columns: region.columns)
            frame.fill(line, style: state.theme.selection)
        }
        let isFilled = state.theme.fillsSelection
        frame.write(
            isFilled ? ">" : state.charset.pointer, at: Position(row: row, column: region.column), limit: 1,
            style: isFilled ? state.theme.selection : state.theme.pointer)
    }

    /// The title, or the key if there is none, with matched letters bold and underlined.
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

    /// Draws the matching text, if neither name nor value shows why the flag is listed: after the name or, if there is
    /// more room, after the value.
    private func drawEvidence(
        _ facts: FlagFacts, value: String, _ parts: (name: Range<Int>, value: Range<Int>), row: Int, isFilled: Bool,
        on frame: inout Frame
    ) {
        guard !matched.words.isEmpty else { return }
        func rest(_ part: Range<Int>, _ text: String) -> Range<Int> {
            let width = DisplayText.width(text, upTo: region.columns, charset: state.charset)
            let start = part.lowerBound + width + Self.evidenceGap
            return start..<max(start, part.upperBound)
        }
        let (behindName, behindValue) = (rest(parts.name, facts.name), rest(parts.value.dropLast(), value))
        let place = behindName.count >= behindValue.count ? behindName : behindValue
        guard place.count >= Self.leastEvidence,
            let evidence = MatchEvidence(
                matched, facts: facts, shownValue: value, columns: place.count, charset: state.charset)
        else { return }
        let faint = isFilled ? state.theme.selection : state.theme.faint
        let match = isFilled ? state.theme.matchInSelection : state.theme.match
        let line = matched.line(evidence.text, evidence.kind, style: faint, match: match)
        frame.write(line, row: row, column: region.column + place.lowerBound, columns: place.count)
    }

    /// Marks matches in the value, if they are in view.
    private func markValue(
        _ value: String, of facts: FlagFacts, in columns: Range<Int>, row: Int, isFilled: Bool, on frame: inout Frame
    ) {
        let found = matched.words.filter { $0.isFound(inValue: value, of: facts) }
        guard !found.isEmpty, columns.count > 1 else { return }
        let style = isFilled ? state.theme.selection : state.theme.value(facts.state)
        let match = isFilled ? state.theme.matchInSelection : state.theme.match
        let line = MatchedText(words: found).line(value, .prose, style: style, match: match)
        frame.write(
            line, row: row, column: region.column + columns.lowerBound, columns: columns.count - 1)
    }

    /// Columns between a name and the matching text.
    private static let evidenceGap = 2
    /// Fewer columns are of no use.
    private static let leastEvidence = 8

    /// The cursor position: on the selected row, at its name. It would hide the marker.
    var cursor: Position? {
        guard let selection = state.list.selection, region.rows > 0 else { return nil }
        return Position(row: region.row + selection - state.list.top, column: region.column + Self.nameColumn)
    }
}

/// The text if no flag is listed: why, and what to do.
struct EmptyList {
    let state: MenuState

    func draw(in region: Region, on frame: inout Frame) {
        let columns = region.columns - 4
        let text = WrappedText(columns: columns, charset: state.charset)
        let parts = lines.enumerated().flatMap { index, line in
            text.lines(of: line, index == 0 ? state.theme.title : state.theme.faint)
        }
        for (index, part) in parts.prefix(max(0, region.rows - 1)).enumerated() {
            frame.write(part, row: region.row + 1 + index, column: region.column + 3, columns: columns)
        }
    }

    /// The reason, then the remedy.
    var lines: [String] {
        if state.remote.phase == .loading, state.board.generation == 0 { return ["Reading \(state.subject.source)."] }
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
            return ["No flags: the source could not be read.", "Fix it. \(state.keyWord(of: .fetch)) fetches again."]
        }
        return [
            "This source has no flags.",
            "Add a config_categories list to it. \(state.keyWord(of: .fetch)) fetches again.",
        ]
    }
}
