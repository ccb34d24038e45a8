public import FlagModel

/// A sheet of lines to read.
public struct ReportSheet: Sendable, Equatable {
    /// What it tells of.
    public let report: Report
    /// The newest request of its text, the only one whose answer counts.
    var request: RequestID?
    /// Its text; `nil` while it is being made.
    public internal(set) var lines: [String]?
    /// The text in rows, as it was wrapped last, and for how many columns: a long text is wrapped once, not with each key.
    var rows: [String] = []
    var columns = -1
    /// What of it is in view.
    var scrolled = ScrolledLines.none

    init(_ report: Report, lines: [String]? = nil) {
        self.report = report
        self.lines = lines
    }

    mutating func replaceLines(_ new: [String]) { (lines, columns) = (new, -1) }
}

/// Something to read that is not about a single flag.
public enum Report: String, Sendable, CaseIterable {
    /// Everything that was said in this run.
    case log
    /// Every source, its state and its age.
    case sources
    /// What is in force.
    case status
    /// What is wrong, and what to do.
    case doctor
    /// Where everything is.
    case paths
    /// Every preference, and who set it.
    case config
    /// Commands that only make sense in a shell.
    case shell

    /// The title of its sheet.
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

    /// The report after this one.
    var next: Report {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// What was said, and when.
public struct LoggedMessage: Sendable, Equatable {
    /// When it was said.
    public let at: Timestamp
    /// What was said.
    public let message: MenuState.Message
}
