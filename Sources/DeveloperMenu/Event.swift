public import FlagModel
public import FlagQueries
public import TerminalUI

/// An event, grouped by its origin. All events arrive on one queue.
public enum Event: Sendable {
    /// A key was pressed.
    case key(KeyPress)
    /// A request from line mode, which reads lines instead of keys.
    case line(LineEvent)
    /// An event of the terminal, or of a program that used the terminal.
    case terminal(TerminalEvent)
    /// Preferences or the last session were read.
    case settings(SettingsEvent)
    /// Something happened to the override file.
    case store(StoreEvent)
    /// Something happened to the overrides that a team shares.
    case team(TeamEvent)
    /// An app has started, ended, or changed what it uses.
    case apps(AppsStatus)
    /// Something happened to the remote sources.
    case remote(RemoteReport)
    /// A response about a file, for the request with this id.
    case file(id: RequestID, FileEvent)
    /// A response about opening another target, for the request with this id.
    case open(id: RequestID, OpenEvent)
    /// The text of a tab of the status sheet, for the request with this id.
    case status(id: RequestID, lines: [String])
}

/// The id that an effect and its response event have in common.
public typealias RequestID = Int

/// A request from line mode.
public enum LineEvent: Sendable, Equatable {
    /// A flag was chosen by its key, such as by its number in the list.
    case flagChosen(FlagText)
    /// An action was chosen by its id. It is only performed while the named part of the menu is open.
    case actionChosen(Action.ID, in: MenuPart)
    /// The whole text of the edited line was replaced.
    case textWritten(String)
    /// A line with a shared state was pasted.
    case pasted(String)
}

/// Events of the terminal.
public enum TerminalEvent: Sendable, Equatable {
    /// The screen was resized.
    case resized(Size)
    /// The terminal's background is known, from the terminal or the environment.
    case backgroundDetected(TerminalBackground)
    /// A minute of a time on the screen has passed without another event, so that the time is no longer true.
    case minutePassed
    /// The terminal does not report mouse events.
    case mouseRefused
    /// The first reading of sources and store takes too long, so keys no longer wait for it, and overrides are listed
    /// without it.
    case typeAheadEnded
    /// The user's own editor has exited.
    case editedOutside(id: RequestID, OutsideEdit)
    /// The result of copying a text.
    case copied(id: RequestID, String, what: String, ClipboardReply)
}

/// Events of the preferences and the session.
public enum SettingsEvent: Sendable, Equatable {
    /// Preferences were read at the start, or because a configuration file has changed. Errors are sentences.
    case preferencesRead(Preferences, errors: [String])
    /// The configuration file cannot be watched, so its changes apply at the next start. The reason is a sentence.
    case preferencesNotWatched(reason: String)
    /// The last session was read. The list is restored to its state in that session.
    case sessionRestored(MenuSession)
    /// The last session cannot be read. The reason is a sentence.
    case sessionNotRead(reason: String)
    /// The menu was started without a target and offers targets to choose from.
    case openOffered
}

/// Events of the override file.
public enum StoreEvent: Sendable, Equatable {
    /// The file was read at the start, or because another process wrote to it.
    case read(OverrideTable, error: String?)
    /// The edits of a request are on disk.
    case saved(id: RequestID, OverrideTable, notice: String?)
    /// Edits could not be saved. The reason is a sentence that says which data is preserved. Saving can be retried
    /// unless the store is read-only.
    case saveFailed(id: RequestID, reason: String, canRetry: Bool)
    /// An undo or redo was saved. The notice says, for example, where a damaged file was moved.
    case moved(
        id: RequestID, OverrideTable, changes: [OverrideChange], contextChanges: [ContextPartChange] = [],
        notice: String?)
    /// Undo or redo failed. The reason is a sentence; `isAtEnd` is `true` if nothing is left to undo or redo.
    case moveRefused(id: RequestID, reason: String, isAtEnd: Bool)
    /// The history was read, or could not be read; the error is a sentence. The newest entry is first.
    case historyRead(id: RequestID, [HistoryEntry], error: String? = nil)
    /// The search by hand that is running after a request, or at the start; `nil` if none is. The notice is a sentence
    /// about a request that failed, or about changes that were not restored.
    case bisected(id: RequestID?, OverrideTable, RunningBisect?, notice: String?)
    /// The file cannot be watched for changes by other processes. The reason is a sentence.
    case notWatched(reason: String)
}

/// Events of the overrides that a team shares.
public enum TeamEvent: Sendable, Equatable {
    /// The values were read, confirmed or changed by anyone, or cannot be read; the error is a sentence.
    case read(FlagTable<FlagOverride>, at: FlagTimestamp?, error: String?)
    /// The edits of a request are stored; empty if the team had these values already.
    case changed(id: RequestID, [OverrideChange])
    /// The edits of a request were not stored, or it is not known. The reason is a sentence that says which.
    case changeFailed(id: RequestID, reason: String)
}

/// Events of the remote sources.
public enum RemoteReport: Sendable {
    /// Sources are being fetched. The id is the request's, or ``RemoteValuesStatus/startupFetch``.
    case fetchStarted(id: RequestID)
    /// The progress of a source, by its index.
    case progressed(source: Int, FetchProgress)
    /// The status of every source, in order of precedence.
    case sourcesChanged([SourceStatus])
    /// Live updates of a source, given by its index, have started, or stopped with an error. The error is a sentence.
    case liveUpdatesChanged(source: Int, error: String?)
    /// These values are in use now.
    case activated(RemoteContent, by: Activation)
    /// The fetch has ended. `waiting` has the differing values that wait for activation; empty if only titles, options
    /// or conditions differ, `nil` if nothing differs.
    case fetched(id: RequestID, waiting: [ValueDifference]?, at: FlagTimestamp, errors: [String])
    /// One source has responded, either without a request by the menu or as one of several sources in a fetch.
    /// `waiting` is as in ``fetched(id:waiting:at:errors:)``.
    case polled(source: String, waiting: [ValueDifference]?, at: FlagTimestamp, errors: [String])
    /// No source could be fetched, or read at the start, or fetched values could not be activated. The previous values
    /// stay in use. If no source has values, `defaults` has the values compiled into the app.
    case fetchFailed(id: RequestID, errors: [String], defaults: RemoteContent? = nil)
    /// The fetch was cancelled before it could start.
    case fetchCancelled(id: RequestID)
    /// There is no source to fetch because the app sets its remote values itself.
    case hasNoSource(id: RequestID)
    /// Values could not be cached for the next start. The reason is a sentence.
    case notCached(reason: String)
    /// Something happened to an evaluation context.
    case context(ContextReport)
    /// The search index of the last activated flags is ready. Without this event, the first search builds the index.
    case indexed(SearchIndex)

    /// Where remote values were activated.
    public enum Activation: Sendable, Equatable {
        /// The menu, for the request with this id, or ``RemoteValuesStatus/startupFetch`` for the first reading.
        case menu(id: RequestID)
        /// The app that the menu is a part of, or another process.
        case elsewhere
        /// A fetch that returned the first values of a source.
        case fetch(id: RequestID)
        /// A response from one of several sources in a fetch.
        case response
        /// An edit of the file that is this source.
        case edit(of: String)
        /// An app that has started, ended, or declared more flags. The remote values are the same.
        case code
    }
}

/// Events of evaluation contexts, and of the contexts and conditions that a tester has overridden.
public enum ContextReport: Sendable {
    /// The context override was saved, and these values are in use for it. The notice is a sentence that the user must
    /// see.
    case changed(id: RequestID, RemoteContent, notice: String?)
    /// The context override was saved, and services are fetched with it. The previous values stay in use until then.
    case awaited(id: RequestID, [SourceEvaluation], notice: String?)
    /// There are no values for the context; the errors are sentences. The previous values stay in use. The id is that
    /// of the request, or `nil` if a later fetch found no values.
    case withoutValues(id: RequestID?, errors: [String], evaluations: [SourceEvaluation])
    /// The context override could not be saved. The reason is a sentence.
    case refused(id: RequestID, reason: String)
}

/// The result of an effect on a file that the user named.
public enum FileEvent: Sendable, Equatable {
    /// The overrides were written to a file; the summary is a sentence.
    case exported(path: String, summary: String)
    /// The file to export to, or the scenario to save, already exists. Replacing it needs confirmation.
    case exists(path: String)
    /// A file could not be written or read, or its content cannot be imported. The reason is a sentence.
    case refused(reason: String)
    /// Completions of the typed path; folders have a trailing slash.
    case completed([String])
    /// A file of overrides was read.
    case importRead(path: String, ImportPlan)
    /// The scenarios, sorted by name, after one was changed as the sentences say; `nil` if none was.
    case scenarios([ScenarioFile], change: String?)
    /// A shared state was found in a pasted text; the summary is a sentence or more.
    case sharedFound(ScenarioFile, summary: String)
}

/// The result of listing targets, or of opening a target.
public enum OpenEvent: Sendable, Equatable {
    /// The targets that the menu can be opened on.
    case listed([OpenChoice])
    /// The target was read, and the next menu opens on it.
    case opened(OpenTarget)
    /// The target cannot be opened. The reason is a sentence.
    case refused(reason: String)
}

/// The result of editing a value in the user's own editor.
public enum OutsideEdit: Sendable, Equatable {
    /// The text of the value when the editor exited. The text may be unchanged.
    case written(String)
    /// Editing failed. The reason is a sentence.
    case failed(reason: String)
}

/// Remote values in use, with their status.
public struct RemoteContent: Sendable {
    /// The merged documents.
    public let snapshot: RemoteSnapshot
    /// When the oldest document was read.
    public let fetchedAt: FlagTimestamp
    /// Errors of sources, one sentence each.
    public let errors: [String]
    /// Warnings about invalid parts that were left out of documents, one sentence each.
    public let warnings: [String]
    /// The fetched values that wait for activation; `nil` if nothing waits.
    public let waiting: [ValueDifference]?
    /// The contexts and conditions of those sources that have any.
    public let evaluations: [SourceEvaluation]

    /// Remote values in use.
    public init(
        snapshot: RemoteSnapshot, fetchedAt: FlagTimestamp, errors: [String] = [], warnings: [String] = [],
        waiting: [ValueDifference]? = nil, evaluations: [SourceEvaluation] = []
    ) {
        (self.snapshot, self.fetchedAt, self.errors, self.warnings) = (snapshot, fetchedAt, errors, warnings)
        (self.waiting, self.evaluations) = (waiting, evaluations)
    }
}
