/// What the settings of a source are looked up in.
package struct SourceEnvironment: Sendable {
    /// The variables of the process.
    package var variables = EnvironmentVariables([])
    /// The folder that paths in variables start from.
    package var workingDirectory = "/"
    /// Where a source stores what has to outlive the process; `nil` if it stores nothing.
    package var files: StateFiles?

    /// An environment; without arguments an empty one.
    package init(variables: EnvironmentVariables = EnvironmentVariables([]), workingDirectory: String = "/") {
        (self.variables, self.workingDirectory) = (variables, workingDirectory)
    }
}

/// The variables of a process.
///
/// A list, as a run looks a few of them up, and the first table of a kind holds the menu's first frame up (see "What a start
/// costs, and what keeps a frame waiting").
package struct EnvironmentVariables: Sendable {
    package typealias Entry = (name: String, value: String)

    private let entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package init(_ table: [String: String]) {
        self.init(table.map { ($0.key, $0.value) })
    }

    /// A variable; of several with one name the last.
    package subscript(_ name: String) -> String? { entries.last { $0.name == name }?.value }

    /// All of them, for those who look many up.
    package var table: [String: String] { Dictionary(entries) { $1 } }

    /// All but some.
    package func without(_ names: [String]) -> EnvironmentVariables {
        EnvironmentVariables(entries.filter { !names.contains($0.name) })
    }
}
