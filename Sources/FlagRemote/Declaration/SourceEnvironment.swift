/// The environment of a source: variables, working directory and state files.
package struct SourceEnvironment: Sendable {
    /// The variables of the process.
    package var variables = EnvironmentVariables([])
    /// The folder against which relative paths in variables are resolved.
    package var workingDirectory = "/"
    /// The files in which a source stores state that outlives the process; `nil` if it stores nothing.
    package var files: StateFiles?

    /// An environment; without arguments an empty one.
    package init(variables: EnvironmentVariables = EnvironmentVariables([]), workingDirectory: String = "/") {
        (self.variables, self.workingDirectory) = (variables, workingDirectory)
    }
}

/// The variables of a process.
///
/// The variables are in a list, as a run looks up only a few variables, and the first dictionary of a type delays the
/// menu's first frame (see "What a start costs, and what keeps a frame waiting").
package struct EnvironmentVariables: Sendable {
    package typealias Entry = (name: String, value: String)

    private let entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package init(_ table: [String: String]) {
        self.init(table.map { ($0.key, $0.value) })
    }

    /// The value of a variable. If several variables have the name, the last one is used.
    package subscript(_ name: String) -> String? { entries.last { $0.name == name }?.value }

    /// All variables as a dictionary, for many lookups.
    package var table: [String: String] { Dictionary(entries) { $1 } }

    /// A copy without the variables of these names.
    package func without(_ names: [String]) -> EnvironmentVariables {
        EnvironmentVariables(entries.filter { !names.contains($0.name) })
    }
}
