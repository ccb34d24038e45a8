public import FlagModel
public import FlagQueries

/// An effect that the menu requests. Effects are plain values, so that tests of the reducer can compare them with `==`.
/// If an effect has an id, its response event has the same id.
public enum Effect: Sendable, Equatable {
    /// Save edits of overrides.
    case saveOverrides(id: RequestID, edits: [OverrideEdit], label: String)
    /// Change the overrides that a team shares.
    case changeTeam(id: RequestID, TeamRequest)
    /// Read the history of the store.
    case readHistory(id: RequestID)
    /// Undo changes in the store, or redo the last undo.
    case moveHistory(id: RequestID, HistoryMove)
    /// Fetch the remote sources. Fetched values wait for activation.
    case fetchRemote(id: RequestID)
    /// Cancel the fetch under way.
    case cancelFetch
    /// Activate fetched values.
    case activateRemote(id: RequestID)
    /// Save a context override, and evaluate flags with it.
    case changeContext(id: RequestID, ContextChange)
    /// Receive mouse events, or leave the mouse to the terminal.
    case setMouse(Bool)
    /// Edit a value in the user's own editor.
    case editOutside(id: RequestID, text: String, type: FlagType)
    /// Generate the text of a tab of the status sheet.
    case readStatus(id: RequestID, StatusTab)
    /// Write the overrides to a file. An existing file is only replaced if requested.
    case exportOverrides(id: RequestID, path: String, isReplacing: Bool)
    /// Read and check the overrides in a file.
    case readImport(id: RequestID, path: String)
    /// Read the scenarios, after a change of one.
    case scenarios(id: RequestID, ScenarioRequest)
    /// Use a state of a search by hand, or end the search.
    case bisect(id: RequestID, BisectRequest)
    /// Complete a typed path.
    case completePath(id: RequestID, String)
    /// List the other apps and sources that the menu can be opened on.
    case listOpenChoices(id: RequestID)
    /// Read a target before the menu is opened on it.
    case open(id: RequestID, OpenTarget)
    /// Copy a text to the clipboard; the response repeats `what`, the name of the text.
    case copy(id: RequestID, String, what: String)
    /// Copy changes as a shared state, at the end of a bug report if there is one.
    case share(id: RequestID, SharedChanges, report: String?)
    /// Find shared states in a pasted text.
    case findShared(id: RequestID, in: String)
    /// Suspend the program as Ctrl-Z does.
    case suspend
    /// Repaint the whole screen.
    case repaint
}

/// What to do with the scenarios before they are listed.
public enum ScenarioRequest: Sendable, Equatable {
    /// Nothing.
    case list
    /// Save the current changes, or those of a shared state, under a name. An existing scenario is only replaced if
    /// requested.
    case save(String, isReplacing: Bool, of: ScenarioFile? = nil)
    /// Give a scenario another name.
    case rename(String, to: String)
    /// Delete a scenario.
    case delete(String)
}

/// What to do with the search by hand among the changes.
public enum BisectRequest: Sendable, Equatable {
    /// Read whether one is running.
    case read
    /// Make these the changes of the store, which are restored later. The log has all outcomes so far; without any, a
    /// search starts.
    case use(OverrideTable, log: String)
    /// Restore the changes.
    case stop
}

/// A search by hand among the changes, which goes on until they are restored, also in the next menu.
public struct RunningBisect: Sendable, Equatable {
    /// The changes before the search.
    public let original: OverrideTable
    /// The log of the outcomes, as JSON.
    public internal(set) var log: String
    /// The revision of the state in use. If the store has a newer one, somebody has changed something meanwhile.
    public let revision: Int

    /// The log before the first outcome.
    package static let emptyLog = "null"

    /// A running search.
    public init(original: OverrideTable, log: String, revision: Int) {
        (self.original, self.log, self.revision) = (original, log, revision)
    }
}

/// A step in the history of overrides.
public enum HistoryMove: Sendable, Equatable {
    /// Undo the last change.
    case undo
    /// Undo every change from the newest down to this revision.
    case undoTo(Int)
    /// Redo the last undo.
    case redo
}
