import FlagRemote
import Flags
import Platform

/// The environment variables of the process, its working directory and the user's home directory.
struct Environment {
    let variables: EnvironmentVariables
    let workingDirectory: String
    let homeDirectory: String
    /// Whether the working directory exists and can be read; otherwise `workingDirectory` is the root.
    var isWorkingDirectoryKnown = true

    /// The value of a variable; `nil` if it is not set or empty.
    subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The environment in which sources are configured.
    var sources: SourceEnvironment {
        SourceEnvironment(variables: variables, workingDirectory: workingDirectory)
    }

    /// The environment of the process.
    static func current() -> Environment {
        let folder = WorkingDirectory.known
        return Environment(
            variables: readVariables(), workingDirectory: folder ?? "/", homeDirectory: ProcessEnvironment.ownHome,
            isWorkingDirectoryKnown: folder != nil)
    }

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
