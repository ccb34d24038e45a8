import DeveloperMenu
import Dispatch

/// Stores the arrangement of the list a while after it has changed, and for good when the menu is left. No key waits for
/// it: the newest arrangement is handed to a queue of its own.
final class SessionKeeper {
    /// How long an arrangement has to last before it is stored: moving through a list is no news.
    private static let patience = DispatchTimeInterval.seconds(1)

    private let port: SessionPort
    private let queue = DispatchQueue(label: "flagmenu.session")
    private var noted: MenuSession?
    private var waiting: DispatchWorkItem?
    private var isReadOnly = false

    init(_ port: SessionPort) {
        self.port = port
    }

    /// Takes note of a state.
    func note(_ state: MenuState) {
        let session = state.session
        isReadOnly = state.preferences.isReadOnly
        defer { noted = session }
        guard noted != nil, noted != session else { return }
        waiting?.cancel()
        waiting = nil
        guard !isReadOnly else { return }
        let keep = port.keep
        let work = DispatchWorkItem { keep(session) }
        waiting = work
        queue.asyncAfter(deadline: .now() + Self.patience, execute: work)
    }

    /// Stores what has not been stored yet, once.
    func finish() {
        guard let waiting, let noted, !isReadOnly else { return }
        waiting.cancel()
        self.waiting = nil
        queue.sync { port.keep(noted) }
    }
}
