import FlagModel

// Reports: sheets of lines to read.
extension MenuState {
    /// Opens a report and asks for its text, where that is not here already.
    mutating func open(_ report: Report) -> [Effect] {
        var sheet = ReportSheet(report, lines: linesAtHand(of: report))
        // What was said last is what somebody wants to read again.
        if report == .log { sheet.top = ReportView(state: self, sheet: sheet).scrolled.end }
        mode = .report(sheet)
        return sheet.lines != nil ? [] : requestReport()
    }

    /// Has the text of the open report made, which may be there already.
    private mutating func requestReport() -> [Effect] {
        guard case .report(var sheet) = mode else { return [] }
        let id = makeRequestID()
        sheet.request = id
        mode = .report(sheet)
        return [.readReport(id: id, sheet.report)]
    }

    /// What is known here already.
    private func linesAtHand(of report: Report) -> [String]? {
        switch report {
        case .log: logLines
        case .sources: sourceLines
        default: nil
        }
    }

    mutating func performInReport(_ intent: Intent) -> [Effect] {
        guard case .report(var sheet) = mode else { return [] }
        let view = ReportView(state: self, sheet: sheet)
        sheet.keep(view.lines, columns: view.columns)
        if let top = view.scrolled.top(after: intent) {
            sheet.top = top
            mode = .report(sheet)
            return []
        }
        switch intent {
        case .copyText:
            return [.copy(id: makeRequestID(), lines(of: sheet).joined(separator: "\n"), what: "text")]
        case .nextReport: return open(sheet.report.next)
        case .undo: return moveHistory(.undo)
        case .redo: return moveHistory(.redo)
        default: return closeSheet()
        }
    }

    /// Undoes or redoes.
    mutating func moveHistory(_ move: HistoryMove) -> [Effect] {
        let id = makeRequestID()
        store.moves[id] = move
        lastCommands = commands(for: move == .undo ? .undo : .redo)
        return [.moveHistory(id: id, move)]
    }

    /// Shows the text that the newest request of the open report wanted.
    mutating func show(_ lines: [String], of report: Report, _ id: RequestID) -> [Effect] {
        guard case .report(var sheet) = mode, sheet.request == id else { return [] }
        sheet.replaceLines(lines)
        mode = .report(sheet)
        return []
    }

    /// Shows what is known of the sources now, if that is what is open.
    mutating func refreshSources() {
        guard case .report(var sheet) = mode, sheet.report == .sources, sheet.lines != sourceLines else { return }
        sheet.replaceLines(sourceLines)
        mode = .report(sheet)
    }

    /// An open history is read again when something happens meanwhile.
    mutating func refreshHistory() -> [Effect] {
        if case .report(let sheet) = mode, sheet.report == .history { requestReport() } else { [] }
    }

    /// Open reports of preferences are read again when those change.
    mutating func refreshPreferencesReport() -> [Effect] {
        guard case .report(let sheet) = mode, [.config, .doctor].contains(sheet.report) else { return [] }
        return requestReport()
    }

    /// The text of a report.
    func lines(of sheet: ReportSheet) -> [String] {
        sheet.lines ?? ["Reading."]
    }

    private var logLines: [String] {
        messages.entries.isEmpty
            ? ["Nothing was said yet."] : messages.entries.map { "\($0.at.clock)  \($0.message.text)" }
    }

    /// `true` while the open report is being made.
    var isAwaitingReport: Bool {
        if case .report(let sheet) = mode { sheet.lines == nil } else { false }
    }

    /// `true` while a file that was named is being written or read.
    var isAwaitingFile: Bool {
        if case .prompt(let prompt) = mode { prompt.isBusy } else { false }
    }

    /// Why undo and redo do nothing in a report: what they did would not be seen.
    var historyObstacle: String? {
        if case .report(let sheet) = mode, sheet.report == .history { nil } else { "This works in the history." }
    }

    /// Why there is no suggestion to take.
    var suggestionObstacle: String? {
        if case .prompt(let prompt) = mode, !prompt.suggestions.isEmpty { nil } else { "There are no suggestions." }
    }
}

extension Timestamp {
    /// The time of day in UTC, `14:02:31`, as messages of one run need no date.
    fileprivate var clock: String { String(rfc3339.dropFirst(11).prefix(8)) }
}
