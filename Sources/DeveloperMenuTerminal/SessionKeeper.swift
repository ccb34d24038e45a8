import DeveloperMenu
import Dispatch
import FlagQueries

/// Restores the arrangement of the list. Saves it one second after a change, and when the menu closes. A background
/// queue writes the file, so keys do not wait.
final class SessionKeeper {
    /// How long an arrangement must stay unchanged before it is saved, so that moving through the list does not write.
    private static let delay = DispatchTimeInterval.seconds(1)

    /// The event about the arrangement of the last run; `nil` if none is restored.
    let event: SettingsEvent?
    private let file: SessionFile
    private let isUsable: Bool
    private let queue = DispatchQueue(label: "flagmenu.session")
    private var lastSession: MenuSession?
    private var pendingWork: DispatchWorkItem?

    init(_ file: SessionFile) {
        self.file = file
        (event, isUsable) = file.read()
    }

    /// Schedules the arrangement of a state to be saved, if the arrangement has changed.
    func scheduleSave(of state: MenuState) {
        let session = state.session
        defer { lastSession = session }
        guard lastSession != nil, lastSession != session else { return }
        pendingWork?.cancel()
        pendingWork = nil
        guard !state.preferences.isReadOnly, isUsable else { return }
        let work = DispatchWorkItem { [file] in file.keep(session) }
        pendingWork = work
        queue.asyncAfter(deadline: .now() + Self.delay, execute: work)
    }

    /// Saves the last arrangement now, if it is not saved yet.
    func finish() {
        guard let pendingWork, let lastSession else { return }
        pendingWork.cancel()
        self.pendingWork = nil
        queue.sync { file.keep(lastSession) }
    }
}
