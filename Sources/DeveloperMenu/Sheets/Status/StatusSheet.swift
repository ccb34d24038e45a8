public import FlagModel
import FlagQueries
import TerminalUI

/// The sheet of status lines, with one tab in view.
struct StatusSheet: Equatable {
    /// The tab in view.
    let tab: StatusTab
    /// The newest request for the text; responses to older ones are ignored.
    var request: RequestID?
    /// The text; `nil` while it is requested.
    var lines: [String]?
    /// The scroll position.
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
    var next: StatusTab {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The id of the action that opens the tab, in the list and in the sheet.
    var action: Action.ID { Action.ID(rawValue: rawValue) }

    /// The help of that action.
    var help: String {
        switch self {
        case .sources: "Show every source: its status, age and errors."
        case .messages: "Show all messages of this run."
        case .store: "Show the paths of all files, and every preference."
        case .apps: "Show the running apps, and which changes each uses."
        case .checks: "Check sources, store and terminal."
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

extension MenuPart {
    /// The status sheet: sources, messages, store, apps and checks.
    public static let status = MenuPart(id: "status", heading: "In the status")
}

extension StatusSheet: ScrollingSheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.status, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] =
        [
            closing([.escape, "q", .enter], help: "Close the status."),
            action("nextTab", [.tab, .right], label: "next tab", help: "Show the next tab.") {
                $1.openStatus($0.tab.next)
            },
            tab(.sources, "F"), tab(.messages, "M"), tab(.store, "S"), tab(.apps, "A"), tab(.checks, "C"),
            action("copyText", ["y"], label: "copy", help: "Copy the whole text.") { sheet, state in
                [.copy(id: state.makeRequestID(), sheet.shownLines.joined(separator: "\n"), what: "text")]
            },
        ] + scrolling

    private static func tab(_ tab: StatusTab, _ key: KeyPress) -> Action {
        action(tab.action, [key], help: tab.help) { $1.openStatus(tab) }
    }

    var part: MenuPart { .status }
    var isWaiting: Bool { lines == nil }

    /// The text; a placeholder while it is requested.
    var shownLines: [String] { lines ?? ["Reading."] }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        switch event {
        case .status(let id, let lines):
            if id == request { self.lines = lines }
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
        case .sources: state.sourceLines
        case .messages: state.messages.lines
        case .apps: state.apps.lines(state.board, at: state.now)
        case .store, .checks: nil
        }
    }

    mutating func layOut(in state: MenuState) {
        lines = availableLines(in: state) ?? lines
        scrolled = view(in: state).shown
    }

    /// The tab in line mode. As soon as the text is available, it is printed and the sheet closes.
    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(lines: ["\(tab.rawValue.capitalized)."] + shownLines, isAnnounced: !isWaiting)
    }
}

extension MessageLog {
    /// Every message with its time of day in UTC, as the messages of one run need no date.
    fileprivate var lines: [String] {
        entries.isEmpty
            ? ["No messages yet."]
            : entries.map { "\($0.at.rfc3339.dropFirst(11).prefix(8))  \($0.message.text)" }
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
            guard app.ignoredOverrides == nil else {
                return ["\(app.shownName)  \(start), \(count), \(FlagUptake.ignoresOverrides.summary)"]
            }
            return ["\(app.shownName)  \(start), \(count)"]
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

    /// The lines of the sources: each with its status, the age of its values, and its errors.
    fileprivate var sourceLines: [String] {
        guard !remote.sources.isEmpty else {
            let age = LineModeSummary(state: self).source
            return [age] + remote.issues.map { "  ! \($0)" }
        }
        var lines: [String] = []
        for (index, source) in remote.sources.enumerated() {
            let statusLines = source.lines(
                progress: remote.fetch?[index]?.summary, now: now, activation: keyName(of: .activate))
            lines.append("\(index + 1)  \(source.name)")
            lines.append("   \(statusLines[0])")
            lines += statusLines.dropFirst().map { "   ! \($0)" }
            if let error = remote.liveUpdateErrors[index] { lines.append("   ~ no live updates: \(error)") }
        }
        if remote.sources.count > 1 { lines.append("If several sources have a flag, the first one's value is used.") }
        return lines
    }
}
