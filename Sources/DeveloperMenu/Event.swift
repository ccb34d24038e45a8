public import FlagModel
public import TerminalUI

/// What has happened. Keys and news arrive alike, on one queue.
public enum Event: Sendable, Equatable {
    /// A key was pressed.
    case keyPressed(KeyPress)
    /// Sources and store take long to be read for the first time: keys no longer wait for them.
    case typeAheadEnded
    /// A flag was chosen by its key, such as by the number that it was told with.
    case flagChosen(FlagText)
    /// Something was asked for in another way than by its key; it counts only while that part of the menu is open.
    case intentChosen(Intent, in: Binding.Context)
    /// The whole text of the line that is being edited was written.
    case textWritten(String)
    /// The screen has another size.
    case resized(Size)
    /// The terminal, or the environment, tells what its background is.
    case backgroundDetected(TerminalBackground)
    /// Time has passed; ages are counted from this moment.
    case clockRead(Timestamp)
    /// Preferences were read: at the start, or because a configuration file has changed. Problems are sentences.
    case preferencesRead(Preferences, problems: [String])
    /// How the list was left is not known, for a reason that is a sentence.
    case sessionRefused(reason: String)
    /// The mouse was asked for, and the terminal has none that programs know of.
    case mouseRefused
    /// Remote documents are being read.
    case remoteLoadStarted
    /// A source, by its place among all, is read so far.
    case sourceProgressed(Int, FetchProgress)
    /// How every source stands, in the order of precedence.
    case sourcesRead([SourceStanding])
    /// A source, by its place among all, tells of its changes unasked, or (with a sentence that says why) does not.
    case sourceFollowed(Int, obstacle: String?)
    /// Remote documents were read and their values hold now.
    case remoteActivated(RemoteNews)
    /// Other remote values hold than this menu has asked for: the app that it is a part of has activated them.
    case remoteActivatedElsewhere(RemoteNews)
    /// What lies behind a network was asked without anybody's asking for it, and these values hold now.
    case remoteRefreshed(RemoteNews)
    /// Some of what is being asked has answered, and these values hold now; others are being waited for.
    case remoteArrived(RemoteNews)
    /// Something was asked without anybody's asking for it, or is one of several that are asked; what differs waits for
    /// activation.
    case remotePolled(waitingCount: Int?, at: Timestamp, problems: [String])
    /// Remote documents were read; `waitingCount` values differ and wait for activation. It is 0 where only what is said of
    /// flags differs, such as titles and options, and `nil` where nothing does.
    case remoteFetched(waitingCount: Int?, at: Timestamp, problems: [String])
    /// What a tester decided about a source is on disk, and these values hold by it; the notice is a sentence that has to
    /// be read.
    case contextChanged(RemoteNews, notice: String?)
    /// What a tester decided is on disk, and services are asked for values that hold by it; those of before stay in use until
    /// then. The notice is a sentence that has to be read.
    case contextAwaited([SourceEvaluation], notice: String?)
    /// What a tester decided is on disk, but no values could be had for it, for reasons that are sentences; those of before
    /// stay in use.
    case contextWithoutValues(problems: [String], evaluations: [SourceEvaluation])
    /// It is not on disk, for a reason that is a sentence.
    case contextRefused(reason: String)
    /// There was nobody to ask: an app brings its remote values by itself.
    case remoteHasNoSource
    /// No remote document could be read; what held before still holds.
    case remoteFailed(problems: [String])
    /// What was read could not be stored for the next start, for a reason that is a sentence.
    case remoteNotKept(reason: String)
    /// The store was read: at the start, or because somebody else wrote to it.
    case overridesRead(OverrideTable, problem: String?)
    /// An edit with this number is on disk.
    case overridesSaved(id: Int, OverrideTable, notice: String?)
    /// An edit with this number is not on disk; the reason is a sentence that says what was kept. It can be tried again
    /// unless the store is not ours to change.
    case saveFailed(id: Int, reason: String, canRetry: Bool)
    /// Undo or redo is on disk: what came back, and what else there is to tell, such as where a damaged file was put.
    case historyMoved(OverrideTable, changes: [OverrideChange], notice: String?)
    /// Changes made elsewhere do not arrive by themselves, for a reason that is a sentence.
    case storeNotFollowed(reason: String)
    /// Changes of the configuration file hold only from the next start, for a reason that is a sentence.
    case preferencesNotFollowed(reason: String)
    /// The user's own editor was left.
    case editedOutside(key: String, OutsideEdit)
    /// The text of a report was made.
    case reportRead(Report, lines: [String])
    /// The overrides were written to a file; the summary is a sentence.
    case exported(path: String, summary: String)
    /// The file that the overrides were to be written to is there already.
    case fileExists(path: String)
    /// A file could not be written or read, or what it holds could not be taken over, for a reason that is a sentence.
    case fileRefused(reason: String)
    /// A file was read whose overrides, all of them valid, may be taken over.
    case importRead(path: String, values: [String: String])
    /// What became of a text that was to be copied.
    case copied(String, what: String, ClipboardAnswer)
    /// Undo or redo was not possible, for a reason that is a sentence; at an end there is nothing left to undo or redo.
    case historyRefused(reason: String, isAtEnd: Bool = false)
    /// The flags that were activated last have been laid out for searching. Without it the first search does that.
    case flagsIndexed(SearchIndex)
    /// The list is to look as it was left the last time.
    case sessionRestored(MenuSession)
}

/// What came of a value in the user's own editor.
public enum OutsideEdit: Sendable, Equatable {
    /// The text that was saved there; it may be the old one.
    case written(String)
    /// Nothing, for a reason that is a sentence.
    case failed(reason: String)
}

/// Remote values that hold from now on.
public struct RemoteNews: Sendable, Equatable {
    /// The documents, joined.
    public let snapshot: RemoteSnapshot
    /// When the oldest of them was read.
    public let fetchedAt: Timestamp
    /// What is wrong with sources, a sentence each.
    public let problems: [String]
    /// What documents had to leave out, a sentence each.
    public let remarks: [String]
    /// How many values wait for activation, if a fetch has been made without one.
    public let waitingCount: Int?
    /// For whom sources are evaluated and by which conditions, of those of which there is any of that.
    public let evaluations: [SourceEvaluation]

    /// News of remote values.
    public init(
        snapshot: RemoteSnapshot, fetchedAt: Timestamp, problems: [String] = [], remarks: [String] = [],
        waitingCount: Int? = nil, evaluations: [SourceEvaluation] = []
    ) {
        self.evaluations = evaluations
        self.remarks = remarks
        self.snapshot = snapshot
        self.fetchedAt = fetchedAt
        self.problems = problems
        self.waitingCount = waitingCount
    }

    /// Compares what tells two pieces of news apart without walking their documents.
    public static func == (left: RemoteNews, right: RemoteNews) -> Bool {
        left.fetchedAt == right.fetchedAt && left.problems == right.problems && left.waitingCount == right.waitingCount
            && left.remarks == right.remarks && left.evaluations == right.evaluations
            && left.snapshot.values == right.snapshot.values
            && left.snapshot.defaults == right.snapshot.defaults
            && left.snapshot.catalog.items == right.snapshot.catalog.items
    }
}
