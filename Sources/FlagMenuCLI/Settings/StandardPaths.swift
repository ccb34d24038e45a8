/// Where files are kept, after the XDG Base Directory Specification; on macOS in the Library unless XDG is set.
enum StandardPaths {
    /// The folder for an app's overrides and their history.
    static func state(_ app: String, _ environment: Environment) -> String {
        place(app, environment, variable: "XDG_STATE_HOME", unix: ".local/state", mac: "Library/Application Support")
    }

    /// The folder for last good remote values.
    static func cache(_ app: String, _ environment: Environment) -> String {
        place(app, environment, variable: "XDG_CACHE_HOME", unix: ".cache", mac: "Library/Caches")
    }

    /// The user's configuration file. Terminal users expect `~/.config`, on macOS too; where neither that nor
    /// `XDG_CONFIG_HOME` is in use, the Library it is there.
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

    private static func place(
        _ app: String, _ environment: Environment, variable: String, unix: String, mac: String
    ) -> String {
        // The specification has relative paths ignored.
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/flagmenu/\(app)" }
        #if os(macOS)
            return "\(environment.homeDirectory)/\(mac)/flagmenu/\(app)"
        #else
            return "\(environment.homeDirectory)/\(unix)/flagmenu/\(app)"
        #endif
    }
}
