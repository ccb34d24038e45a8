import FlagModel
import Flags
import TerminalUI

extension StageState {
    /// The minimum size of the stage. On a smaller screen, a line of text is shown instead.
    static let smallest = Size(columns: 40, rows: 10)

    /// The whole screen, as a pure function of the state.
    var view: TerminalUI.Screen {
        var frame = Frame(size: size, charset: charset)
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
            let text = "needs 40x10, has \(size.columns)x\(size.rows). q quits."
            frame.write(text, at: Position(row: 0, column: 0))
            return TerminalUI.Screen(frame: frame)
        }
        let top = isRoomy ? 3 : 1
        let body = Region(
            row: top, column: 1, rows: size.rows - (isRoomy ? 4 : 2) - top, columns: size.columns - 2)
        drawTabs(on: &frame)
        if isRoomy { drawSource(row: 1, on: &frame) }
        drawBody(in: body, on: &frame)
        drawStatus(on: &frame)
        let cursor = scenarioName.map { drawPrompt(for: $0, row: size.rows - 1, on: &frame) }
        if hasKeys, cursor == nil { drawKeys(row: size.rows - 1, on: &frame) }
        if helpLine != nil {
            frame.fill(body, style: .plain)
            help.draw(in: body, theme, on: &frame)
        }
        return TerminalUI.Screen(frame: frame, cursor: cursor)
    }

    /// The screen as lines of text without a terminal, for scripts and for comparing variants.
    var plainLines: [String] {
        var state = self
        state.hasKeys = false
        let frame = state.view.frame
        var lines = (0..<frame.size.rows).map { frame.text(ofRow: $0) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Whether there are lines for the source, for messages and errors, and for the library's sentence about overrides.
    /// On a smaller screen, messages and errors replace the decisions.
    private var isRoomy: Bool { size.rows >= 16 }

    private func drawBody(in body: Region, on frame: inout Frame) {
        guard let updates, !isClosed else {
            let words = isClosed ? ["Closed for maintenance", "We are back soon."] : ["Reading the flags..."]
            let lines = words.map { Card.Line.centered($0, .plain) }
            return Card(title: screen.title, lines: [.blank] + lines + [.blank]).draw(in: body, theme, on: &frame)
        }
        guard isSideBySide, let contents = updates.variants[screen] else {
            return card(updates.content, in: body).draw(in: body, theme, on: &frame)
        }
        let headingRows = body.rows < 12 ? 1 : 2
        let width = (body.columns - 2) / contents.count
        let inUse = screen.variantInUse(updates.content)
        let names = screen.variants.map(\.name)
        let sides = names.indices.map { index in
            Region(row: body.row, column: body.column + index * (width + 2), rows: body.rows, columns: width)
        }
        // The variant in use is drawn with the current values of all flags.
        let cards = sides.indices.map { index in
            card(
                names[index] == inUse ? updates.content : contents[index], in: sides[index].droppingTop(headingRows))
        }
        let longest = cards.map(\.lines.count).max() ?? 0
        for (index, side) in sides.enumerated() {
            drawHeading(
                names[index], isInUse: names[index] == inUse, isChosen: hasKeys && index == chosenVariant,
                rows: headingRows, in: side, on: &frame)
            cards[index].draw(in: side.droppingTop(headingRows), sideLines: longest, theme, on: &frame)
        }
    }

    private func drawHeading(
        _ variant: String, isInUse: Bool, isChosen: Bool, rows: Int, in side: Region, on frame: inout Frame
    ) {
        let name = screen == .login ? "Variant \(variant)" : "\(screen.keys[0]) = \(variant)"
        let usage = isInUse ? "in use" : isChosen ? "enter applies it" : "not in use"
        let pointer = isChosen || (!hasKeys && isInUse) ? "> " : "  "
        let headings = rows > 1 ? [pointer + name, "  " + usage] : ["\(pointer)\(variant), \(usage)"]
        for (index, heading) in headings.enumerated() {
            let style = index == 0 && isChosen ? theme.selection : isInUse ? theme.title : theme.faint
            let shown = DisplayText.clipped(heading, to: side.columns, charset: charset)
            frame.write(
                index == 0 && isChosen ? DisplayText.padded(shown, to: side.columns, charset: charset) : shown,
                at: Position(row: side.row + index, column: side.column), style: style)
        }
    }

    /// The card of the current screen.
    private func card(_ content: StageContent, in region: Region) -> Card {
        let isRoomy = region.rows >= 12
        return switch screen {
        case .location: .locations(content, line: line)
        case .login: .login(content, updates?.remote ?? .idle, isRoomy: isRoomy, theme)
        case .items: .items(content, line: line, columns: region.columns, theme)
        case .onboarding: .onboarding(content, isRoomy: isRoomy, theme)
        }
    }

    private var help: Card {
        let lines = StageBinding.all.map { binding in
            let names = binding.keys.map(\.name).joined(separator: " ")
            return Card.Line.text(DisplayText.padded(names, to: 18) + binding.help, .plain)
        }
        return Card(title: "Keys", lines: lines, focus: helpLine, columns: 60)
    }

    private func drawSource(row: Int, on frame: inout Frame) {
        let dot = " \(charset.separator) "
        let (words, isError) =
            switch updates?.remote {
            case _ where readsOnce: ("flags read at the start", false)
            case .loading: ("~ loading", false)
            case .loaded: ("fetched", false)
            case .failed: ("! not read", true)
            case .idle, nil: ("not fetched", false)
            }
        var column = frame.write(app, at: Position(row: row, column: 1), limit: 30, style: theme.title)
        column = frame.write(
            "\(dot)\(source)\(dot)", at: Position(row: row, column: column), style: theme.faint)
        column = frame.write(words, at: Position(row: row, column: column), style: isError ? theme.issue : theme.faint)
        guard let scenario = updates?.scenario else { return }
        frame.write("\(dot)scenario \(scenario)", at: Position(row: row, column: column), style: theme.faint)
    }

    /// Draws the line with the name of a scenario, and returns the position of its cursor. A long name shows its end.
    private func drawPrompt(for name: String, row: Int, on frame: inout Frame) -> Position {
        let start = frame.write("Name the scenario: ", at: Position(row: row, column: 1), style: theme.key)
        let room = size.columns - start - 1
        let end = frame.write(String(name.suffix(room)), at: Position(row: row, column: start), limit: room)
        let hints = "   enter save  esc cancel"
        if end + hints.count < size.columns {
            frame.write(hints, at: Position(row: row, column: end), style: theme.faint)
        }
        return Position(row: row, column: end)
    }

    private func drawKeys(row: Int, on frame: inout Frame) {
        var bindings = StageBinding.all.filter { $0.label != nil && ($0.action != .apply || isSideBySide) }
        func width(_ binding: StageBinding) -> Int { binding.keys[0].name.count + (binding.label ?? "").count + 3 }
        // If there is little room, only the first key and the last two keys stay: those for the menu, for help and for
        // leaving.
        while bindings.map(width).reduce(0, +) > size.columns, bindings.count > 3 {
            bindings.remove(at: bindings.count - 3)
        }
        var column = 1
        for binding in bindings {
            column = frame.write(binding.keys[0].name, at: Position(row: row, column: column), style: theme.key)
            let label = " \(binding.label ?? "")"
            column = frame.write(label, at: Position(row: row, column: column), style: theme.faint) + 2
        }
    }

    /// Draws the first line: the names of the screens, and the number of active overrides.
    private func drawTabs(on frame: inout Frame) {
        let isWide = frame.size.columns >= 70
        var column = 1
        for (index, screen) in StageScreen.allCases.enumerated() {
            let isShown = screen == self.screen
            let name = isShown || isWide ? "\(index + 1) \(screen.title)" : "\(index + 1)"
            let text = isShown ? "[\(name)]" : " \(name) "
            let style = isShown ? theme.selection : theme.faint
            column = frame.write(text, at: Position(row: 0, column: column), style: style) + (isWide ? 1 : 0)
        }
        guard let count = updates?.overrideCount, count > 0 else { return }
        let badge = " \(count) changed "
        let start = frame.size.columns - 1 - badge.count
        if start > column {
            frame.write(badge, at: Position(row: 0, column: start), style: theme.overridden)
        } else {
            frame.write("*\(count)", at: Position(row: 0, column: column + 1), style: theme.overridden)
        }
    }

    /// Draws the lines above the keys: the message or error, the sentence about overrides, and the decisions.
    private func drawStatus(on frame: inout Frame) {
        let issue = updates?.issues.first.map { ("! \($0)", theme.issue) }
        let notice = message.map { ($0, Style.plain) } ?? issue
        if isRoomy || notice == nil { drawDecisions(row: size.rows - 2, on: &frame) }
        if let notice { write(notice.0, notice.1, row: size.rows - (isRoomy ? 4 : 2), on: &frame) }
        if isRoomy, let banner = updates?.banner {
            write("* \(banner)", theme.title, row: size.rows - 3, on: &frame)
        }
    }

    /// Draws each flag of the screen with its deciding layer and its value, as far as they fit. If not all layers fit,
    /// draws only the keys: no flag is left out.
    private func drawDecisions(row: Int, on frame: inout Frame) {
        let decisions = updates?.content.decisions[screen] ?? []
        let summaries = decisions.map(summary)
        // Beside each flag, there is a marker and a gap.
        let hasLayers = summaries.map { $0.count + 4 }.reduce(0, +) <= frame.size.columns
        var column = 1
        for (index, decision) in decisions.enumerated() {
            // Reserve room for the following flags, each with a few columns for its value.
            let reserved = summaries[(index + 1)...].map { $0.count + 3 + Self.leastValue }.reduce(0, +)
            let (words, end) =
                hasLayers ? (summaries[index], frame.size.columns - 1 - reserved) : (decision.key.string, 0)
            column = draw(decision, as: words, row: row, column: column, end: end, on: &frame) + 2
        }
    }

    /// The columns that are reserved for each value.
    private static let leastValue = 12

    /// The key and the deciding layer of a flag, and the layers that are skipped.
    private func summary(of decision: Explanation) -> String {
        let skipped = Self.skippedLayers(decision).map(\.word).joined(separator: " and ")
        return "\(decision.key.string) \(charset.separator) \((decision.winner ?? .default).word)"
            + (skipped.isEmpty ? "" : ", as \(skipped) cannot be read")
    }

    /// The layers that are skipped because their values are not valid for the flag's type.
    private static func skippedLayers(_ decision: Explanation) -> [FlagLayer] {
        decision.entries.filter { $0.value != nil && !$0.isCastable }.map(\.layer)
    }

    private func draw(
        _ decision: Explanation, as words: String, row: Int, column: Int, end: Int, on frame: inout Frame
    ) -> Int {
        let isSkipping = !Self.skippedLayers(decision).isEmpty
        let marker = isSkipping ? "!" : (decision.winner ?? .default) < .remote ? "*" : ""
        var column = frame.write(
            marker, at: Position(row: row, column: column),
            style: isSkipping ? theme.issue : theme.overridden)
        if !marker.isEmpty { column += 1 }
        let key = decision.key.string
        column = frame.write(key, at: Position(row: row, column: column), style: theme.title)
        column = frame.write(String(words.dropFirst(key.count)), at: Position(row: row, column: column))
        guard let value = decision.value?.string, !value.isEmpty else { return column }
        let shown = DisplayText.clipped(" \(charset.separator) \(value)", to: max(0, end - column), charset: charset)
        return frame.write(shown, at: Position(row: row, column: column), style: theme.faint)
    }

    private func write(_ text: String, _ style: Style, row: Int, on frame: inout Frame) {
        let shown = DisplayText.clipped(text, to: frame.size.columns - 2, charset: charset)
        frame.write(shown, at: Position(row: row, column: 1), style: style)
    }
}
