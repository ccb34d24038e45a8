/// A scenario in a file, or a built-in one.
public struct ScenarioFile: Sendable, Hashable {
    /// The name, without the end of the file name.
    package let name: String
    /// The path of the file; `nil` for a built-in scenario.
    package let file: String?
    /// The changes, or what is wrong with the file as a whole.
    package let content: Result<ImportEntries, InvalidText>

    package init(name: String, file: String?, content: Result<ImportEntries, InvalidText>) {
        (self.name, self.file, self.content) = (name, file, content)
    }

    /// Why the file cannot be read, as a sentence; `nil` if it can.
    package var error: String? { if case .failure(let error) = content { error.sentence } else { nil } }

    /// Where the scenario is, for lists and messages.
    package var path: String { file ?? "built in" }

    /// Why the scenario cannot be deleted or renamed, as a sentence; `nil` if it is in a file.
    package var builtInReason: String? {
        guard file == nil else { return nil }
        return "The scenario \(name) is built in: it cannot be deleted or renamed. A saved one with its name replaces "
            + "it."
    }
}
