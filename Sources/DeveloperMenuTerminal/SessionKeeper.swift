import DeveloperMenu
import Dispatch
import FlagQueries

/// Saves the arrangement of the list one second after a change, and when the menu closes. A background queue writes the
/// file, so keys do not wait.
final class SessionKeeper {
    /// How long an arrangement must stay unchanged before it is saved, so that moving through the list does not write.
    private static let delay = DispatchTimeInterval.seconds(1)

    private let port: SessionPort
    private let queue = DispatchQueue(label: "flagmenu.session")
    private var lastSession: MenuSession?
    private var pendingWork: DispatchWorkItem?
    private var isReadOnly = false

    init(_ port: SessionPort) {
        self.port = port
    }

    /// Schedules the arrangement of a state to be saved, if the arrangement has changed.
    func scheduleSave(of state: MenuState) {
        let session = state.session
        isReadOnly = state.preferences.isReadOnly
        defer { lastSession = session }
        guard lastSession != nil, lastSession != session else { return }
        pendingWork?.cancel()
        pendingWork = nil
        guard !isReadOnly else { return }
        let keep = port.keep
        let work = DispatchWorkItem { keep(session) }
        pendingWork = work
        queue.asyncAfter(deadline: .now() + Self.delay, execute: work)
    }

    /// Saves the last arrangement now, if it is not saved yet.
    func finish() {
        guard let pendingWork, let lastSession, !isReadOnly else { return }
        pendingWork.cancel()
        self.pendingWork = nil
        queue.sync { port.keep(lastSession) }
    }
}
