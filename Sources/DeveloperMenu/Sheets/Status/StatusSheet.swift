public import FlagModel
import FlagQueries
import TerminalUI

/// The sheet of status lines, with one tab in view.
struct StatusSheet: Equatable {
    let tab: StatusTab
    /// The newest request for the text; responses to older ones are ignored. `nil` if the menu has the text.
    var request: RequestID?
    /// The response; `nil` until it arrives.
    var response: [String]?
    var scrolled = ScrolledLines.none
}

/// A tab of the status sheet.
public enum StatusTab: String, Sendable, CaseIterable {
    /// Every source, its status, and the age of its values.
    case sources
    /// All messages of this run.
    case messages
    /// The paths of all files, and every preference with where it is set.
    case store
    /// The running apps, and how far they use the changes.
    case apps
    /// Checks of sources, store and terminal, with remedies for errors.
    case checks

    /// The next tab; after the last one, the first.
    var next: StatusTab { Self.allCases.drop { $0 != self }.dropFirst().first ?? .sources }

    /// The id of the action that opens the tab, in the list and in the sheet.
    var action: Action.ID { Action.ID(rawValue: rawValue) }

    /// The help of that action.
    var help: String {
        switch self {
        case .sources: "Sources: the status, age and errors of each."
        case .messages: "Messages: all of this run."
        case .store: "Store: the paths of all files, and preferences."
        case .apps: "Running apps: which changes each uses."
        case .checks: "Checks: sources, store and terminal."
        }
    }
}

/// A message with its time, for the log.
public struct LoggedMessage: Sendable, Equatable {
    /// The time.
    public let at: FlagTimestamp
    /// The message.
    public let message: MenuMessage
}

extension StatusSheet: ScrollingSheet {
    static let part = MenuPart(id: "status", heading: "In the status")

    static let actions: [Action] = [
        closing([.escape, "q", .enter], help: "Close the status."),
        action("nextTab", [.tab, .right], label: "next tab", help: "Show the next tab.") {
            $1.openStatus($0.tab.next)
        },
        tab(.sources, "F"), tab(.messages, "M"), tab(.store, "S"), tab(.apps, "A"), tab(.checks, "C"),
        action("copyText", ["y"], label: "copy", help: "Copy the whole text.") { sheet, state in
            [.copy(id: state.makeRequestID(), sheet.lines(in: state).joined(separator: "\n"), what: "text")]
        },
    ]

    private static func tab(_ tab: StatusTab, _ key: KeyPress) -> Action {
        action(tab.action, [key], help: tab.help) { $1.openStatus(tab) }
    }

    var isWaiting: Bool { request != nil && response == nil }

    /// The text; a placeholder while it is requested.
    func lines(in state: MenuState) -> [String] { availableLines(in: state) ?? response ?? ["Reading."] }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        switch event {
        case .status(let id, let lines):
            if id == request { response = lines }
            return []
        // What is set where, and what the checks find, may be different now.
        case .settings(.preferencesRead): return state.receive(event) + requestLines(in: &state)
        default: return nil
        }
    }

    /// Requests the text if the menu does not have it.
    fileprivate mutating func requestLines(in state: inout MenuState) -> [Effect] {
        guard availableLines(in: state) == nil else { return [] }
        let id = state.makeRequestID()
        request = id
        return [.readStatus(id: id, tab)]
    }

    /// The text if the menu has it; `nil` if it must be requested.
    private func availableLines(in state: MenuState) -> [String]? {
        switch tab {
        case .sources: return state.sourceLines
        case .messages:
            // The time of day in UTC, as the messages of one run need no date.
            let lines = state.messages.entries.map { "\($0.at.rfc3339.dropFirst(11).prefix(8))  \($0.message.text)" }
            return lines.isEmpty ? ["No messages yet."] : lines
        case .apps: return state.apps.lines(state.board, at: state.now)
        case .store, .checks: return nil
        }
    }

    /// The tab in line mode. As soon as the text is available, it is printed and the sheet closes.
    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(lines: ["\(tab.rawValue.capitalized)."] + lines(in: state), isAnnounced: !isWaiting)
    }

    // The view: the text of a tab, as large as the screen allows, with the tabs in the upper edge.

    func view(in state: MenuState) -> SheetList {
        let columns = min(100, state.size.columns - 4)
        let rows = lines(in: state).flatMap { Self.wrapped($0, columns: columns, charset: state.charset) }
        return SheetList(state, title: "", columns: columns, lines: rows, top: scrolled.top)
    }

    /// A line in rows of at most `columns` columns. A line of a table is wrapped within its last table column, so that
    /// the table stays aligned. In other lines, the rows after the first usually have two more spaces of indentation.
    private static func wrapped(_ line: String, columns: Int, charset: Charset) -> [StyledLine] {
        if DisplayText.fits(line, columns: columns, charset: charset) { return [StyledLine(line)] }
        let text = WrappedText(columns: columns, charset: charset)
        if let start = lastColumn(of: line, columns: columns, charset: charset) {
            return text.labelled(
                StyledLine(String(line[..<start])), String(line[start...]), .plain, .plain, breaksAtWords: true)
        }
        let indent = String(line.prefix { $0 == " " })
        guard indent.count < columns / 2 else { return text.lines(of: line) }
        let pieces = DisplayText.wrapped(line, columns: columns - indent.count - 2, charset: charset)
        return pieces.enumerated().map { index, piece in StyledLine(indent + (index == 0 ? "" : "  ") + piece) }
    }

    /// The start of the last table column in the left three fifths of `columns`; `nil` if there is none. A table column
    /// starts after a word and at least two spaces.
    private static func lastColumn(of line: String, columns: Int, charset: Charset) -> String.Index? {
        let start = line.prefix(columns * 3 / 5).matches(of: /[^ ] {2,}(?=[^ ])/).last?.range.upperBound
        guard let start, DisplayText.width(String(line[..<start]), charset: charset) <= columns * 3 / 5 else {
            return nil
        }
        return start
    }

    /// Draws the names of the tabs into the upper edge; the one in view is reversed.
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let view = view(in: state)
        let position = view.draw(on: &frame)
        for (tab, area) in zip(StatusTab.allCases, Self.tabAreas(on: view.box, state)) {
            frame.write(
                clipping: " \(tab.rawValue) ", row: area.region.row, column: area.region.column,
                columns: min(area.region.columns, view.box.region.columnRange.upperBound - 1 - area.region.column),
                style: tab == self.tab ? state.theme.title.reversed() : state.theme.plain)
        }
        return position
    }

    func mouseTargets(in state: MenuState) -> [MouseTarget.Area] { Self.tabAreas(on: view(in: state).box, state) }

    private static func tabAreas(on box: SheetFrame, _ state: MenuState) -> [MouseTarget.Area] {
        var column = box.region.column + 1
        return StatusTab.allCases.map { tab in
            let columns = column..<column + tab.rawValue.count + 2
            column = columns.upperBound
            let key = state.keymap.action(tab.action, in: part)?.keys.first
            return MouseTarget.Area(row: box.region.row, columns: columns, key.map(MouseTarget.key) ?? .entry(0))
        }
    }
}

extension AppsStatus {
    /// Each running app, since when it runs, and what it does about every changed flag.
    fileprivate func lines(_ board: FlagBoard, at now: FlagTimestamp) -> [String] {
        guard !running.isEmpty else { return ["No app is running with its flags open."] }
        return running.flatMap { app -> [String] in
            let clients = app.activeClients(at: now.milliseconds).count
            let count = clients > 0 ? clients.counted("client") : app.flags.count.counted("flag")
            let start = "started \(FlagTimestamp(milliseconds: app.startedAt).age(at: now))"
            let head = "\(app.shownName)  \(start), \(count)"
            if app.ignoredOverrides != nil { return ["\(head), \(FlagUptake.ignoresOverrides.summary)"] }
            return [head]
                + board.values.overrides.sortedByKey.compactMap { key, _ in
                    line(of: board.facts(of: FlagText(key)), by: app).map { "   \(key)  \($0.summary)" }
                }
        }
    }
}

extension MenuState {
    /// Opens the status sheet on a tab.
    mutating func openStatus(_ tab: StatusTab) -> [Effect] {
        var sheet = StatusSheet(tab: tab)
        // The messages open at their end, as the user wants to read the last one.
        if tab == .messages { sheet.scrolled = ScrolledLines(count: .max, room: 1, top: .max) }
        let effects = sheet.requestLines(in: &self)
        return open(sheet) + effects
    }

    /// The status of a source, and its error if it has one, a line each.
    func statusLines(ofSource index: Int, activation: String) -> [String] {
        remote.sources[index].lines(
            progress: remote.fetch?[index]?.summary, now: now, activation: activation)
    }

    /// The lines of the sources: each with its status, the age of its values, and its errors.
    fileprivate var sourceLines: [String] {
        guard !remote.sources.isEmpty else {
            let age = LineModeSummary(state: self).source
            return [age] + remote.issues.map { "  ! \($0)" }
        }
        let lines = remote.sources.enumerated().flatMap { index, source in
            let status = statusLines(ofSource: index, activation: keyName(of: .activate))
            let error = remote.liveUpdateErrors[index].map { ["   ~ no live updates: \($0)"] } ?? []
            return ["\(index + 1)  \(source.name)", "   \(status[0])"] + status.dropFirst().map { "   ! \($0)" } + error
        }
        let order = "If several sources have a flag, the first one's value is used."
        return remote.sources.count > 1 ? lines + [order] : lines
    }
}
