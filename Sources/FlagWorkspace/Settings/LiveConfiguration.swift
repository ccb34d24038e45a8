package import DeveloperMenu
import FlagModel
import FlagQueries
import FlagStorage
import Synchronization

/// A configuration that is read again while the menu is open. If the file cannot be parsed, for example while it is
/// being written, the last good configuration stays in use.
package final class LiveConfiguration: Sendable {
    private let current: Mutex<Configuration>

    init(_ configuration: Configuration) {
        current = .init(configuration)
    }

    var configuration: Configuration { current.withLock { $0 } }

    /// The access to preferences for the menu.
    package var port: (path: String, first: SettingsEvent, readAgain: @Sendable () -> SettingsEvent?) {
        let first = configuration
        return (first.path, Self.reading(first), readAgain)
    }

    /// Reads the files again; returns `nil` if nothing has changed.
    @Sendable private func readAgain() -> SettingsEvent? {
        current.withLock { configuration in
            let new = configuration.readAgain()
            guard
                new.preferences != configuration.preferences || new.issues != configuration.issues
                    || new.origins != configuration.origins
            else { return nil }
            guard new.file == .sound || new.file == .missing else {
                let issue = Self.briefs(of: new)[0]
                return .preferencesRead(
                    configuration.preferences, errors: ["Not reloaded, the previous preferences stay in use: \(issue)"])
            }
            configuration = new
            return Self.reading(new)
        }
    }

    private static func reading(_ configuration: Configuration) -> SettingsEvent {
        .preferencesRead(configuration.preferences, errors: briefs(of: configuration))
    }

    /// The issues as short sentences, with the name of the file in place of its path.
    private static func briefs(of configuration: Configuration) -> [String] {
        let name = FilePath.name(of: configuration.path)
        return configuration.issues.map { $0.brief(naming: name) }
    }
}
