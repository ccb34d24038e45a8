public import FlagModel

/// A sheet of lines to read.
public struct ReportSheet: Sendable, Equatable {
    /// The report.
    public let report: Report
    /// The newest request of its text, whose response is the only one that counts.
    var request: RequestID?
    /// Its text; `nil` while it is requested.
    public internal(set) var lines: [String]?
    /// The wrapped text, and for how many columns: a long text is wrapped a single time, not with each key.
    var rows: [String] = []
    var columns = -1
    /// The part in view.
    var scrolled = ScrolledLines.none

    init(_ report: Report, lines: [String]? = nil) {
        self.report = report
        self.lines = lines
    }

    mutating func replaceLines(_ new: [String]) { (lines, columns) = (new, -1) }
}

/// A text to read that is not about a single flag.
public enum Report: String, Sendable, CaseIterable {
    /// All messages of this run.
    case log
    /// Every source, its status and its age.
    case sources
    /// The current status.
    case status
    /// Errors and remedies.
    case doctor
    /// The paths of all files.
    case paths
    /// Every preference, and where it is set.
    case config
    /// Commands that are only useful in a shell.
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

/// A message, with its time.
public struct LoggedMessage: Sendable, Equatable {
    /// The time.
    public let at: Timestamp
    /// The message.
    public let message: MenuState.Message
}
