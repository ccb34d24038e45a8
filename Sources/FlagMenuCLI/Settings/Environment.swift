import FlagRemote
import Platform

/// The process's environment, the user and the working directory.
struct Environment {
    let variables: EnvironmentVariables
    let workingDirectory: String
    let homeDirectory: String

    /// A variable that is set and not empty.
    subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// What settings of sources are looked up in.
    var sources: SourceEnvironment {
        SourceEnvironment(variables: variables, workingDirectory: workingDirectory)
    }

    /// What the process was started with.
    static func current() -> Environment {
        let variables = readVariables()
        return Environment(
            variables: variables, workingDirectory: WorkingDirectory.path,
            homeDirectory: variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
                ?? account.flatMap { $0.pw_dir }.map { String(cString: $0) } ?? "/")
    }

    /// The user's name. It is looked up when it is asked for, as the system may have to ask a network.
    var userName: String {
        Self.account.flatMap { $0.pw_name }.map { String(cString: $0) } ?? variables["USER"] ?? "uid \(getuid())"
    }

    private static var account: passwd? { getpwuid(getuid())?.pointee }

    private static func readVariables() -> EnvironmentVariables {
        var entries: [EnvironmentVariables.Entry] = []
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { entries.append((String(parts[0]), String(parts[1]))) }
            entry += 1
        }
        return EnvironmentVariables(entries)
    }
}
