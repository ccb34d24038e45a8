import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// A sheet of lines to read, such as the log of messages.
    public static let report = MenuPart(id: "report", heading: "In a report", opener: .log)
}

extension ReportSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.report, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.cancel, [.escape, "q", .enter], label: "back", help: "Close the report.", .isWayOut, rank: .always) {
            $0.closeSheet()
        },
        .moving(.down, [.down, "j"], label: "scroll", help: "Scroll down.", disabledReason: \.scrollReason),
        .moving(.up, [.up, "k"], help: "Scroll up.", disabledReason: \.scrollReason),
        .moving(.pageDown, [.pageDown, " "], help: "Scroll one page down.", disabledReason: \.scrollReason),
        .moving(.pageUp, [.pageUp], help: "Scroll one page up.", disabledReason: \.scrollReason),
        .moving(.first, [.home, "g"], help: "Go to the first line.", disabledReason: \.scrollReason),
        .moving(.last, [.end, "G"], help: "Go to the last line.", disabledReason: \.scrollReason),
        Action("copyText", ["y"], label: "copy", help: "Copy the whole text.") { $0.copyReport() },
        Action("nextReport", [.tab], label: "next report", help: "Show the next report.") { state in
            state.sheet(ReportSheet.self).map { state.open($0.report.next) } ?? []
        },
    ]

    var part: MenuPart { .report }
    var mode: MenuState.Mode { .report(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        scrolled = scrolled.moved(movement)
    }
}

extension MenuState {
    /// Opens a report. Requests the report's text if the menu does not have the text.
    mutating func open(_ report: Report) -> [Effect] {
        var sheet = ReportSheet(report, lines: availableLines(of: report))
        // The log opens at its end, as the user wants to read the last message.
        if report == .log { sheet.scrolled = ScrolledLines(count: .max, room: 1, top: .max) }
        mode = .report(sheet)
        return sheet.lines != nil ? [] : requestReport()
    }

    /// Requests the text of the open report, even if the report shows an older text.
    private mutating func requestReport() -> [Effect] {
        guard case .report(var sheet) = mode else { return [] }
        let id = makeRequestID()
        sheet.request = id
        mode = .report(sheet)
        return [.readReport(id: id, sheet.report)]
    }

    /// The text of a report if the menu has it; `nil` if it must be requested.
    private func availableLines(of report: Report) -> [String]? {
        switch report {
        case .log: logLines
        case .sources: sourceLines
        case .status, .doctor, .paths, .config, .shell: nil
        }
    }

    fileprivate mutating func copyReport() -> [Effect] {
        guard let sheet = sheet(ReportSheet.self) else { return [] }
        return [.copy(id: makeRequestID(), lines(of: sheet).joined(separator: "\n"), what: "text")]
    }

    /// Shows the response to the newest request of the open report.
    mutating func show(_ lines: [String], _ id: RequestID) -> [Effect] {
        guard case .report(var sheet) = mode, sheet.request == id else { return [] }
        sheet.replaceLines(lines)
        mode = .report(sheet)
        return []
    }

    /// Updates the sheet of sources if it is open.
    mutating func refreshSources() {
        guard case .report(var sheet) = mode, sheet.report == .sources, sheet.lines != sourceLines else { return }
        sheet.replaceLines(sourceLines)
        mode = .report(sheet)
    }

    /// Requests the text of the open report again if it depends on preferences.
    mutating func refreshPreferencesReport() -> [Effect] {
        guard case .report(let sheet) = mode, [.config, .doctor].contains(sheet.report) else { return [] }
        return requestReport()
    }

    /// The text of a report; a placeholder while it is requested.
    func lines(of sheet: ReportSheet) -> [String] {
        sheet.lines ?? ["Reading."]
    }

    private var logLines: [String] {
        messages.entries.isEmpty
            ? ["No messages yet."] : messages.entries.map { "\($0.at.clock)  \($0.message.text)" }
    }

    /// The lines of the sheet of sources: each source with its status, the age of its values, and its errors.
    private var sourceLines: [String] {
        guard !remote.sources.isEmpty else {
            let age = LineModeSummary(state: self).source
            return [age] + remoteIssues.map { "  ! \($0)" }
        }
        var lines: [String] = []
        for (index, source) in remote.sources.enumerated() {
            let statusLines = source.lines(
                progress: remote.fetch?.progress[index]?.summary, now: now, activation: keyName(of: .activate))
            lines.append("\(index + 1)  \(source.name)")
            lines.append("   \(statusLines[0])")
            lines += statusLines.dropFirst().map { "   ! \($0)" }
            if let error = remote.liveUpdateErrors[index] { lines.append("   ~ no live updates: \(error)") }
        }
        if remote.sources.count > 1 { lines.append("If several sources have a flag, the first one's value is used.") }
        return lines
    }

    /// Whether the open report waits for its text.
    var isAwaitingReport: Bool {
        if case .report(let sheet) = mode { sheet.lines == nil } else { false }
    }
}

extension FlagTimestamp {
    /// The time of day in UTC, such as `14:02:31`. Messages of one run need no date.
    fileprivate var clock: String { String(rfc3339.dropFirst(11).prefix(8)) }
}
