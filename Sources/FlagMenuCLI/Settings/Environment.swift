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

/// The variables of a process.
///
/// A list, as a run looks a few of them up, and the first table of a kind holds the menu's first frame up (see "What a start
/// costs, and what keeps a frame waiting").
struct EnvironmentVariables: Sendable {
    typealias Entry = (name: String, value: String)

    private let entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    init(_ table: [String: String]) {
        self.init(table.map { ($0.key, $0.value) })
    }

    /// A variable; of several with one name the last.
    subscript(_ name: String) -> String? { entries.last { $0.name == name }?.value }

    /// All of them, for those who look many up.
    var table: [String: String] { Dictionary(entries) { $1 } }

    /// All but some.
    func without(_ names: [String]) -> EnvironmentVariables {
        EnvironmentVariables(entries.filter { !names.contains($0.name) })
    }
}
