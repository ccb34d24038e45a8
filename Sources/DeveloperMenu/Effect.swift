public import FlagModel

/// What the menu asks of the world. Effects are plain values, so a test of the reducer is `==`. Each that is answered by an event has
/// an id, which the event repeats.
public enum Effect: Sendable, Equatable {
    /// Put edits on disk.
    case saveOverrides(id: RequestID, edits: [OverrideEdit], label: String)
    /// Read the history of the store.
    case readHistory(id: RequestID)
    /// Undo changes in the store, or redo what was undone last.
    case moveHistory(id: RequestID, HistoryMove)
    /// Fetch the remote sources, and keep what they say for activation.
    case fetchRemote(id: RequestID)
    /// Do not wait any more for the sources that are being fetched.
    case cancelFetch
    /// Put fetched values in use.
    case activateRemote(id: RequestID)
    /// Put a context override on disk, and have flags evaluated by it.
    case changeContext(id: RequestID, ContextChange)
    /// Let the mouse act on the menu, or leave it to the terminal.
    case setMouse(Bool)
    /// Let the user write a value in an editor of their own.
    case editOutside(id: RequestID, text: String, type: FlagType)
    /// Make the text of a report.
    case readReport(id: RequestID, Report)
    /// Write the overrides to a file, also over one that exists if told so.
    case exportOverrides(id: RequestID, path: String, isReplacing: Bool)
    /// Read and check the overrides in a file.
    case readImport(id: RequestID, path: String)
    /// Look up what a path may become that somebody has begun to type.
    case completePath(id: RequestID, String)
    /// Look up what the menu can be opened on instead.
    case listOpenChoices(id: RequestID)
    /// Read what the menu is to be opened on.
    case open(id: RequestID, OpenTarget)
    /// Put a text on the clipboard; `what` it is goes back with the answer.
    case copy(id: RequestID, String, what: String)
    /// Stop the program as Ctrl-Z does.
    case suspend
    /// Paint the whole screen again.
    case repaint
}

/// A step in the history of overrides.
public enum HistoryMove: Sendable, Equatable {
    /// Undo the newest change.
    case undo
    /// Undo every change down to the one with this revision.
    case undoTo(Int)
    /// Redo what was undone last.
    case redo
}
