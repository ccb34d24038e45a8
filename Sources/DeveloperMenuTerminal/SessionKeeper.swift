import DeveloperMenu
import Dispatch

/// Stores the arrangement of the list some time after a change, and finally when the menu is left. Keys do not wait for
/// it: the newest arrangement is passed to its own queue.
final class SessionKeeper {
    /// How long an arrangement must last before it is stored: moving through a list should not write.
    private static let patience = DispatchTimeInterval.seconds(1)

    private let port: SessionPort
    private let queue = DispatchQueue(label: "flagmenu.session")
    private var noted: MenuSession?
    private var waiting: DispatchWorkItem?
    private var isReadOnly = false

    init(_ port: SessionPort) {
        self.port = port
    }

    /// Records a state.
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

    /// Stores what has not been stored yet.
    func finish() {
        guard let waiting, let noted, !isReadOnly else { return }
        waiting.cancel()
        self.waiting = nil
        queue.sync { port.keep(noted) }
    }
}
