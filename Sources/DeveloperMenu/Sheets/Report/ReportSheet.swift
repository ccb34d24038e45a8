public import FlagModel

/// A sheet of lines to read.
public struct ReportSheet: Sendable, Equatable {
    /// The report.
    public let report: Report
    /// The newest request for the text; responses to older ones are ignored.
    var request: RequestID?
    /// The text; `nil` while it is requested.
    public internal(set) var lines: [String]?
    /// The text wrapped to ``columns``; stored, as wrapping a long text at each key press is slow.
    var rows: [String] = []
    /// The width of ``rows``; -1 if the text has to be wrapped again.
    var columns = -1
    /// The scroll position.
    var scrolled = ScrolledLines.none

    init(_ report: Report, lines: [String]? = nil) {
        self.report = report
        self.lines = lines
    }

    mutating func replaceLines(_ newLines: [String]) { (lines, columns) = (newLines, -1) }
}

/// A text to read that is not about a single flag.
public enum Report: String, Sendable, CaseIterable {
    /// All messages of this run.
    case log
    /// Every source, its status, and the age of its values.
    case sources
    /// The status of sources and store.
    case status
    /// Checks of sources, store and terminal, with remedies for errors.
    case doctor
    /// The paths of all files.
    case paths
    /// Every preference, and where it is set.
    case config
    /// Commands that are only useful in a shell.
    case shell

    /// The title of the sheet.
    public var title: String {
        switch self {
        case .log: "Messages of this run"
        case .sources: "Sources, the first wins"
        case .status: "Status"
        case .doctor: "Doctor"
        case .paths: "Paths"
        case .config: "Preferences"
        case .shell: "For your shell"
        }
    }

    /// The next report; after the last one, the first.
    var next: Report {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// A message with its time, for the log.
public struct LoggedMessage: Sendable, Equatable {
    /// The time.
    public let at: FlagTimestamp
    /// The message.
    public let message: MenuState.Message
}
