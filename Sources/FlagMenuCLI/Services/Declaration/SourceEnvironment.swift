import FlagRemote

/// The environment of a source: variables, working directory and state files.
struct SourceEnvironment: Sendable {
    /// The variables of the process.
    var variables = EnvironmentVariables([])
    /// The folder against which relative paths in variables are resolved.
    var workingDirectory = "/"
    /// The files in which a source stores state that outlives the process; `nil` if it stores nothing.
    var files: StateFiles?

    /// An environment; without arguments an empty one.
    init(variables: EnvironmentVariables = EnvironmentVariables([]), workingDirectory: String = "/") {
        (self.variables, self.workingDirectory) = (variables, workingDirectory)
    }
}

/// The variables of a process.
///
/// The variables are in a list, as a run looks up only a few variables, and the first dictionary of a type delays the
/// menu's first frame (see "What a start costs, and what keeps a frame waiting").
struct EnvironmentVariables: Sendable {
    typealias Entry = (name: String, value: String)

    private let entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    init(_ table: [String: String]) {
        self.init(table.map { ($0.key, $0.value) })
    }

    /// The value of a variable. If several variables have the name, the last one is used.
    subscript(_ name: String) -> String? { entries.last { $0.name == name }?.value }

    /// All variables as a dictionary, for many lookups.
    var table: [String: String] { Dictionary(entries) { $1 } }

    /// A copy without the variables of these names.
    func without(_ names: [String]) -> EnvironmentVariables {
        EnvironmentVariables(entries.filter { !names.contains($0.name) })
    }
}
