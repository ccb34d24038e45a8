import DeveloperMenu
import Dispatch
import FlagQueries

/// Restores the arrangement of the list. Saves it one second after a change, and when the menu closes. A background
/// queue writes the file, so keys do not wait.
final class SessionKeeper {
    /// How long an arrangement must stay unchanged before it is saved, so that moving through the list does not write.
    private static let delay = DispatchTimeInterval.seconds(1)

    /// The event about the arrangement of the last run; `nil` if none is restored.
    let event: Event?
    private let file: SessionFile
    private let isUsable: Bool
    private let queue = DispatchQueue(label: "flagmenu.session")
    private var lastSession: MenuSession?
    private var pendingWork: DispatchWorkItem?
    private var isReadOnly = false

    init(_ file: SessionFile) {
        self.file = file
        switch file.read() {
        case .missing: (event, isUsable) = (nil, true)
        case .session(let session):
            (event, isUsable) = (file.isFresh ? nil : .settings(.sessionRestored(session)), true)
        case .unusable(let reason): (event, isUsable) = (.settings(.sessionNotRead(reason: reason)), false)
        }
    }

    /// Schedules the arrangement of a state to be saved, if the arrangement has changed.
    func scheduleSave(of state: MenuState) {
        let session = state.session
        isReadOnly = state.preferences.isReadOnly
        defer { lastSession = session }
        guard lastSession != nil, lastSession != session else { return }
        pendingWork?.cancel()
        pendingWork = nil
        guard !isReadOnly, isUsable else { return }
        let work = DispatchWorkItem { [file] in file.keep(session) }
        pendingWork = work
        queue.asyncAfter(deadline: .now() + Self.delay, execute: work)
    }

    /// Saves the last arrangement now, if it is not saved yet.
    func finish() {
        guard let pendingWork, let lastSession, !isReadOnly else { return }
        pendingWork.cancel()
        self.pendingWork = nil
        queue.sync { file.keep(lastSession) }
    }
}
