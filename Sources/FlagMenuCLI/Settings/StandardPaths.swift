import FlagStorage

/// Paths of the menu's own files. Those that it shares with apps are found by `AppFolders`.
enum StandardPaths {
    /// The user's configuration file. Terminal users expect `~/.config`, on macOS too; if neither that nor
    /// `XDG_CONFIG_HOME` is in use, it is in the Library there.
    static func configuration(_ environment: Environment, exists: (String) -> Bool) -> String {
        let dotted = "\(environment.homeDirectory)/.config"
        #if os(macOS)
        if environment["XDG_CONFIG_HOME"] == nil, !exists("\(dotted)/flagmenu") {
            return "\(environment.homeDirectory)/Library/Application Support/flagmenu/config.json"
        }
        #endif
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? dotted
        return "\(base)/flagmenu/config.json"
    }
}

extension AppFolders {
    /// The folders of an app in a command's environment.
    init(app: String, _ environment: Environment) {
        self.init(app: app, home: environment.homeDirectory) { environment[$0] }
    }
}
