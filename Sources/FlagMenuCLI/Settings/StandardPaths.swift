import FlagStorage

/// The paths of the program's own files. `AppFolders` has the paths of files that apps use, too.
enum StandardPaths {
    /// The user's configuration file. It is in `XDG_CONFIG_HOME` or `~/.config`. On macOS, it is in `~/Library` if the
    /// variable is not set and `~/.config` has no `flagmenu`.
    static func configuration(_ environment: Environment, exists: (String) -> Bool) -> String {
        let dotConfig = "\(environment.homeDirectory)/.config"
        #if os(macOS)
        if environment["XDG_CONFIG_HOME"] == nil, !exists("\(dotConfig)/flagmenu") {
            return "\(environment.homeDirectory)/Library/Application Support/flagmenu/config.json"
        }
        #endif
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? dotConfig
        return "\(base)/flagmenu/config.json"
    }
}

extension AppFolders {
    /// The folders of an app in a command's environment.
    init(app: String, _ environment: Environment) {
        self.init(app: app, home: environment.homeDirectory) { environment[$0] }
    }
}
