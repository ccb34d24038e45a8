import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagStorage
import Synchronization

/// A configuration that is read again while the menu is open. If a file is not valid as a whole, such as while it is
/// being written, the last good configuration stays.
final class FollowedConfiguration: Sendable {
    private let current: Mutex<Configuration>

    init(_ configuration: Configuration) {
        current = Mutex(configuration)
    }

    /// The current configuration.
    var configuration: Configuration { current.withLock { $0 } }

    /// The configuration's port for the menu.
    var port: PreferencesPort {
        let first = configuration
        return PreferencesPort(path: first.path, first: Self.reading(first), readAgain: readAgain)
    }

    @Sendable private func readAgain() -> PreferencesPort.Reading? {
        current.withLock { known in
            let new = known.readAgain().keepingReadOnly(of: known)
            guard new.preferences != known.preferences || new.problems != known.problems || new.origins != known.origins
            else { return nil }
            guard new.isFileSound else {
                let problem = Self.briefs(of: new)[0]
                return PreferencesPort.Reading(
                    known.preferences, errors: ["Ignored, earlier preferences stay: \(problem)"])
            }
            known = new
            return Self.reading(new)
        }
    }

    private static func reading(_ configuration: Configuration) -> PreferencesPort.Reading {
        PreferencesPort.Reading(configuration.preferences, errors: briefs(of: configuration))
    }

    private static func briefs(of configuration: Configuration) -> [String] {
        let name = FilePath.name(of: configuration.path)
        return configuration.problems.map { $0.brief(naming: name) }
    }
}
