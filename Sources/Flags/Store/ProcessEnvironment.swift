import FlagModel
import Platform

/// What the process was started with, and by whom.
package enum ProcessEnvironment {
    /// A variable that is set and not empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }

    /// Whether a variable is set to a word for true.
    static func isTrue(_ name: String) -> Bool { variable(name).flatMap(FlagReading.bool) ?? false }

    /// The user's home. In a simulator that is the one of the machine that it runs on, so that the menu there and the app
    /// here share one override file.
    static var home: String { variable("SIMULATOR_HOST_HOME") ?? ownHome }

    /// The home of this process; in a simulator a folder of its own.
    package static var ownHome: String {
        if let home = variable("HOME"), home.hasPrefix("/") { return home }
        return getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
    }

    /// The number of the user whose rights the process has.
    package static var userNumber: UInt32 { geteuid() }

    /// The name of a user; the number where it has none.
    package static func userName(of user: UInt32) -> String {
        getpwuid(user)?.pointee.pw_name.map { String(cString: $0) } ?? "uid \(user)"
    }

    /// Who overrides are said to be set by. It is looked up when it is asked for, as the system may have to ask a network.
    package static var userName: String {
        getpwuid(getuid())?.pointee.pw_name.map { String(cString: $0) } ?? variable("USER") ?? "uid \(getuid())"
    }

    /// The values of this run alone, from `FLAGMENU_LAUNCH`. A text that names none counts as not set; the sentence says so.
    static func launchValues() -> (values: [String: String], problem: String?) {
        guard let text = variable("FLAGMENU_LAUNCH") else { return ([:], nil) }
        do throws(LaunchTextError) {
            return (try LaunchText.values(in: text), nil)
        } catch {
            return ([:], "FLAGMENU_LAUNCH \(error.sentence.asSentence) This run has no launch values.")
        }
    }
}
