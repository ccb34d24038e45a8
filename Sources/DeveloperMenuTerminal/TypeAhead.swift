import DeveloperMenu
import TerminalUI

/// Keys that were typed before the flags were there.
///
/// Who types `/mu`, Enter and Space right behind `flagmenu` means the flags that are about to appear. So keys wait for
/// the first reading of sources and store, but not for long: a source that takes its time must not make the menu deaf.
struct TypeAhead {
    /// For how long after the start keys wait.
    private static let patience = Duration.milliseconds(500)

    private let start = ContinuousClock.now
    private var held: [Event] = []
    private var awaitsRemote = true
    private var awaitsOverrides = true

    /// What is to be taken in now that an event has come, in this order.
    mutating func release(_ event: Event) -> [Event] {
        guard awaitsRemote || awaitsOverrides else { return [event] }
        switch event {
        case .keyPressed(let key):
            if key != .control("c"), start.duration(to: .now) < Self.patience {
                held.append(event)
                return []
            }
            (awaitsRemote, awaitsOverrides) = (false, false)
            defer { held = [] }
            return held + [event]
        case .remoteActivated, .remoteRefreshed, .remoteFailed: awaitsRemote = false
        case .overridesRead: awaitsOverrides = false
        default: break
        }
        guard !awaitsRemote, !awaitsOverrides else { return [event] }
        defer { held = [] }
        return [event] + held
    }
}
