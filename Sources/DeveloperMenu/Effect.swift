public import FlagModel

/// What the menu asks of the world. Effects are plain values, so a test of the reducer is `==`.
public enum Effect: Sendable, Equatable {
    /// Put edits on disk and answer with the same number.
    case saveOverrides(id: Int, edits: [OverrideEdit], label: String)
    /// Take back the newest change in the store.
    case undo
    /// Make again what was undone last.
    case redo
    /// Read the remote sources, and keep what they say for activation.
    case fetchRemote
    /// Do not wait for the sources any more that are being read; what they would have said is not taken in.
    case cancelFetch
    /// Make fetched values the ones that hold.
    case activateRemote
    /// Put on disk what a tester decides about a source, and have its flags evaluated by that.
    case changeContext(ContextChange)
    /// Let the mouse act on the menu, or leave it to the terminal.
    case setMouse(Bool)
    /// Let the user write a value in an editor of their own, and answer `editedOutside`.
    case editOutside(key: String, text: String, type: FlagType)
    /// Make the text of a report.
    case readReport(Report)
    /// Write the overrides to a file, also over one that is there if told so.
    case exportOverrides(path: String, isReplacing: Bool)
    /// Read and check the overrides in a file.
    case readImport(path: String)
    /// Put a text on the clipboard; `what` it is goes back with the answer.
    case copy(String, what: String)
    /// Stop the program as Ctrl-Z does.
    case suspend
    /// Paint the whole screen anew.
    case repaint
}
