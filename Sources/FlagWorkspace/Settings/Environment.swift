import Essentials
import FlagRemote
import FlagStorage
import Flags

/// The release that this program is of.
package enum Release {
    package static let version = "0.2.0"
}

/// The environment variables of the process, its working directory and the user's home directory.
package struct Environment {
    package var variables: [String: String] = [:]
    /// The folder against which typed paths are resolved.
    package var workingDirectory = "/"
    package var homeDirectory = "/"
    /// Whether the working directory exists and can be read; otherwise `workingDirectory` is the root.
    var isWorkingDirectoryKnown = true

    /// The value of a variable; `nil` if it is not set or empty.
    package subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The user's configuration file. It is in `XDG_CONFIG_HOME` or `~/.config`. On macOS, it is in `~/Library` if the
    /// variable is not set and `~/.config` has none.
    var configurationFile: String {
        let standard = "\(homeDirectory)/.config/flagmenu/config.json"
        #if os(macOS)
        if self["XDG_CONFIG_HOME"] == nil, !DurableFile.hasName(standard) {
            return "\(homeDirectory)/Library/Application Support/flagmenu/config.json"
        }
        #endif
        guard let folder = self["XDG_CONFIG_HOME"], folder.hasPrefix("/") else { return standard }
        return "\(folder)/flagmenu/config.json"
    }

    /// The environment of the process.
    package static func current() -> Environment {
        let folder = WorkingDirectory.known
        return Environment(
            variables: ProcessInfo.processInfo.environment, workingDirectory: folder ?? "/",
            homeDirectory: ProcessEnvironment.ownHome,
            isWorkingDirectoryKnown: folder != nil)
    }
}

extension AppFolders {
    /// The folders of an app in a command's environment.
    package init(app: String, _ environment: Environment) {
        self.init(app: app, home: environment.homeDirectory) { environment[$0] }
    }
}
