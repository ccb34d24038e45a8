public import FlagModel
public import TerminalUI

/// What has happened, by where it comes from. All of it arrives on one queue.
public enum Event: Sendable, Equatable {
    /// A key was pressed.
    case key(KeyPress)
    /// Something was asked for in words and numbers, as in line mode.
    case line(LineEvent)
    /// Something happened to the terminal, or in a program that had it.
    case terminal(TerminalEvent)
    /// Preferences or the last session were read.
    case settings(SettingsEvent)
    /// Something happened to the override file.
    case store(StoreEvent)
    /// Something happened to the remote sources.
    case remote(RemoteReport)
    /// Something came of a file that somebody named, or began to name, as the request with this id wanted.
    case file(id: RequestID, FileEvent)
    /// Something came of opening something else, as the request with this id wanted.
    case open(id: RequestID, OpenEvent)
    /// The text of a report was made, as the request with this id wanted.
    case report(id: RequestID, Report, lines: [String])
}

/// What connects an effect with the event that answers it.
public typealias RequestID = Int

/// What line mode asks for without keys.
public enum LineEvent: Sendable, Equatable {
    /// A flag was chosen by its key, such as by the number that it was listed with.
    case flagChosen(FlagText)
    /// Something was asked for by its name; it counts only while that part of the menu is open.
    case actionChosen(Action.ID, in: MenuPart)
    /// The whole text of the line that is being edited was written.
    case textWritten(String)
}

/// What happens to the terminal.
public enum TerminalEvent: Sendable, Equatable {
    /// The screen has another size.
    case resized(Size)
    /// The terminal, or the environment, says what its background is.
    case backgroundDetected(TerminalBackground)
    /// The mouse was asked for, and the terminal reports none.
    case mouseRefused
    /// Sources and store take long to be read for the first time: keys no longer wait for them.
    case typeAheadEnded
    /// The user's own editor was left.
    case editedOutside(id: RequestID, OutsideEdit)
    /// What became of a text that was to be copied.
    case copied(id: RequestID, String, what: String, ClipboardAnswer)
}

/// What happens to preferences and the session.
public enum SettingsEvent: Sendable, Equatable {
    /// Preferences were read: at the start, or because a configuration file has changed. Errors are sentences.
    case preferencesRead(Preferences, errors: [String])
    /// Changes of the configuration file count only from the next start, for a reason that is a sentence.
    case preferencesNotWatched(reason: String)
    /// The list is to look as it was left the last time.
    case sessionRestored(MenuSession)
    /// How the list was left is not known, for a reason that is a sentence.
    case sessionNotRead(reason: String)
    /// Nobody has named what to open, and there is something to choose from.
    case openOffered
}

/// What happens to the override file.
public enum StoreEvent: Sendable, Equatable {
    /// It was read: at the start, or because another process wrote to it.
    case read(OverrideTable, error: String?)
    /// An edit is on disk.
    case saved(id: RequestID, OverrideTable, notice: String?)
    /// An edit is not on disk; the reason is a sentence that says what was kept. It can be tried again unless the store is not
    /// ours to change.
    case saveFailed(id: RequestID, reason: String, canRetry: Bool)
    /// Undo or redo is on disk: what came back, and what else there is to say, such as where a damaged file was put.
    case moved(id: RequestID, OverrideTable, changes: [OverrideChange], notice: String?)
    /// Undo or redo was not possible, for a reason that is a sentence; at an end nothing is left to undo or redo.
    case moveRefused(id: RequestID, reason: String, isAtEnd: Bool)
    /// The history, the newest first.
    case historyRead(id: RequestID, [HistoryEntry])
    /// The history could not be read, for a reason that is a sentence.
    case historyNotRead(id: RequestID, reason: String)
    /// Changes made elsewhere do not arrive by themselves, for a reason that is a sentence.
    case notWatched(reason: String)
}

/// What happens to the remote sources.
public enum RemoteReport: Sendable, Equatable {
    /// Sources are being fetched. The id is that of the request, or ``RemoteValuesStatus/startupFetch``.
    case fetchStarted(id: RequestID)
    /// A source, by its place among all, is fetched so far.
    case progressed(source: Int, FetchProgress)
    /// How every source is doing, in the order of precedence.
    case sourcesChanged([SourceStatus])
    /// A source, by its place among all, sends live updates, or (with a sentence that says why) does not.
    case liveUpdatesChanged(source: Int, error: String?)
    /// These values are in use now.
    case activated(RemoteContent, by: Activation)
    /// The fetch has ended; the values that differ wait for activation. They are empty if only titles, options or conditions
    /// differ, and `nil` if nothing does.
    case fetched(id: RequestID, waiting: [ValueDifference]?, at: Timestamp, errors: [String])
    /// A source has responded without a request of the menu, or as one of several; what differs waits for activation.
    case polled(source: String, waiting: [ValueDifference]?, at: Timestamp, errors: [String])
    /// No source could be fetched, or read at the start; the values before stay in use.
    case fetchFailed(id: RequestID, errors: [String])
    /// Fetched values could not be activated.
    case activationFailed(id: RequestID, errors: [String])
    /// The fetch had no source: an app sets its remote values itself.
    case hasNoSource(id: RequestID)
    /// What was read could not be cached for the next start, for a reason that is a sentence.
    case notCached(reason: String)
    /// Something happened to an evaluation context.
    case context(ContextReport)
    /// The flags that were activated last have been indexed for searching. Without it the first search does that.
    case indexed(SearchIndex)
}

extension RemoteReport {
    /// Who has put remote values in use.
    public enum Activation: Sendable, Equatable {
        /// The menu, as the request with this id wanted, or ``RemoteValuesStatus/startupFetch`` for what was read first.
        case menu(id: RequestID)
        /// The app that the menu is a part of, or another process.
        case elsewhere
        /// A fetch that brought the first values of a source.
        case fetch(id: RequestID)
        /// One of several sources that are being fetched.
        case response
    }
}

/// What happens to the evaluation context and the conditions that a tester has overridden.
public enum ContextReport: Sendable, Equatable {
    /// The context override is on disk, and these values are in use by it; the notice is a sentence that has to be read.
    case changed(id: RequestID, RemoteContent, notice: String?)
    /// The context override is on disk, and services are fetched for it; the values before stay in use until then.
    case awaited(id: RequestID, [SourceEvaluation], notice: String?)
    /// No values could be had for the context, for reasons that are sentences; those before stay in use. The id is that of the
    /// change, or `nil` if services were fetched since.
    case withoutValues(id: RequestID?, errors: [String], evaluations: [SourceEvaluation])
    /// The context override is not on disk, for a reason that is a sentence.
    case refused(id: RequestID, reason: String)
}

/// What became of a file that somebody named.
public enum FileEvent: Sendable, Equatable {
    /// The overrides were written to a file; the summary is a sentence.
    case exported(path: String, summary: String)
    /// The file that the overrides were to be written to exists.
    case exists(path: String)
    /// A file could not be written or read, or its content cannot be imported, for a reason that is a sentence.
    case refused(reason: String)
    /// The path that was typed may become one of these; folders have a slash at their end.
    case completed([String])
    /// A file of overrides was read.
    case importRead(path: String, ImportPlan)
}

/// What came of opening something else.
public enum OpenEvent: Sendable, Equatable {
    /// These can be chosen.
    case listed([OpenChoice])
    /// It was read, and is what comes after this menu.
    case opened(OpenTarget)
    /// It cannot be opened, for a reason that is a sentence.
    case refused(reason: String)
}

/// What came of a value in the user's own editor.
public enum OutsideEdit: Sendable, Equatable {
    /// The text that was saved there; it may be the old one.
    case written(String)
    /// Nothing, for a reason that is a sentence.
    case failed(reason: String)
}

/// Remote values in use, and what there is to say of them.
public struct RemoteContent: Sendable, Equatable {
    /// The documents, joined.
    public let snapshot: RemoteSnapshot
    /// When the oldest of them was read.
    public let fetchedAt: Timestamp
    /// What is wrong with sources, a sentence each.
    public let errors: [String]
    /// What documents had to leave out, a sentence each.
    public let warnings: [String]
    /// The values that wait for activation, if a fetch has been made without one.
    public let waiting: [ValueDifference]?
    /// The contexts and conditions that sources are evaluated by, of those that have any.
    public let evaluations: [SourceEvaluation]

    /// Remote values.
    public init(
        snapshot: RemoteSnapshot, fetchedAt: Timestamp, errors: [String] = [], warnings: [String] = [],
        waiting: [ValueDifference]? = nil, evaluations: [SourceEvaluation] = []
    ) {
        self.evaluations = evaluations
        self.warnings = warnings
        self.snapshot = snapshot
        self.fetchedAt = fetchedAt
        self.errors = errors
        self.waiting = waiting
    }

    /// Compares what differs between two updates without walking their documents.
    public static func == (left: RemoteContent, right: RemoteContent) -> Bool {
        left.fetchedAt == right.fetchedAt && left.errors == right.errors && left.waiting == right.waiting
            && left.warnings == right.warnings && left.evaluations == right.evaluations
            && left.snapshot.values == right.snapshot.values
            && left.snapshot.defaults == right.snapshot.defaults
            && left.snapshot.catalog.items == right.snapshot.catalog.items
    }
}
