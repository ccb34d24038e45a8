import FlagRemote
import Flags
import Platform

/// The process's environment, home and working directory.
struct Environment {
    let variables: EnvironmentVariables
    let workingDirectory: String
    let homeDirectory: String
    /// `false` if the working directory was removed or cannot be read: then it is the root.
    var isWorkingDirectoryKnown = true

    /// A variable that is set and not empty.
    subscript(_ name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The environment for settings of sources.
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
