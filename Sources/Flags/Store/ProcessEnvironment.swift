import FlagModel
import Platform

/// The environment and the user of the process.
package enum ProcessEnvironment {
    /// The value of a variable; `nil` if it is not set or empty.
    package static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }

    /// Whether a variable is set to a word for true.
    static func isTrue(_ name: String) -> Bool { variable(name).flatMap(FlagReading.bool) ?? false }

    /// The user's home directory. In a simulator, the home directory on the host, so that the app and a menu on the
    /// host share one override file.
    static var home: String { variable("SIMULATOR_HOST_HOME") ?? ownHome }

    /// The home directory of this process; in a simulator, a folder of the simulator.
    package static var ownHome: String {
        if let home = variable("HOME"), home.hasPrefix("/") { return home }
        return getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
    }

    /// The name of the program.
    static var programName: String { CommandLine.arguments.first.map(FilePath.name) ?? "app" }

    /// Whether the process runs tests: of `swift test`, of Xcode, or of Xcode inside the app.
    static let isTestProcess = isTestProcess(arguments: CommandLine.arguments, variable: variable)

    static func isTestProcess(arguments: [String], variable: (String) -> String?) -> Bool {
        let program = arguments.first.map(FilePath.name) ?? ""
        return ["XCTestConfigurationFilePath", "XCTestBundlePath"].contains { variable($0) != nil }
            || ["xctest", "swiftpm-testing-helper"].contains(program) || program.hasSuffix(".xctest")
            || arguments.contains("--testing-library")
    }

    /// The id of the process.
    static var processNumber: Int32 { getpid() }

    /// The id of the process's effective user.
    package static var userNumber: UInt32 { geteuid() }

    /// The name of a user; the id if there is no name.
    package static func userName(of user: UInt32) -> String {
        getpwuid(user)?.pointee.pw_name.map { String(cString: $0) } ?? "uid \(user)"
    }

    /// The user name for overrides. Looked up only when it is used, because the lookup may need a network.
    package static var userName: String {
        getpwuid(getuid())?.pointee.pw_name.map { String(cString: $0) } ?? variable("USER") ?? "uid \(getuid())"
    }

    /// The launch values from `FLAGMENU_LAUNCH`. If the text is invalid, there are no values, and `issue` is a sentence
    /// about it.
    static func launchValues() -> (values: FlagTable<String>, issue: String?) {
        guard let text = variable("FLAGMENU_LAUNCH") else { return ([:], nil) }
        do throws(InvalidText) {
            return (try LaunchText.values(in: text), nil)
        } catch {
            return ([:], "FLAGMENU_LAUNCH \(error.sentence.asSentence) This run has no launch values.")
        }
    }
}
