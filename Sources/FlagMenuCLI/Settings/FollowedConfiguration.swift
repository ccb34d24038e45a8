import DeveloperMenu
import DeveloperMenuTerminal
import Synchronization

/// A configuration that is read again while the menu is open. A file that cannot be read as a whole, such as while
/// somebody writes it, leaves what was last good in force.
final class FollowedConfiguration: Sendable {
    private let current: Mutex<Configuration>

    init(_ configuration: Configuration) {
        current = Mutex(configuration)
    }

    /// The configuration as the menu reaches it.
    var port: PreferencesPort {
        let first = current.withLock { $0 }
        return PreferencesPort(path: first.path, first: Self.event(first), readAgain: readAgain)
    }

    @Sendable private func readAgain() -> Event? {
        current.withLock { known in
            let new = known.readAgain()
            guard new.preferences != known.preferences || new.problems != known.problems else { return nil }
            guard new.isFileSound else {
                let problem = "\(new.problems[0]) The preferences of before stay in force."
                return .preferencesRead(known.preferences, problems: [problem])
            }
            known = new
            return Self.event(new)
        }
    }

    private static func event(_ configuration: Configuration) -> Event {
        .preferencesRead(configuration.preferences, problems: configuration.problems)
    }
}
