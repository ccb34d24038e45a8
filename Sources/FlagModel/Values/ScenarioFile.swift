/// A file with a scenario.
public struct ScenarioFile: Sendable, Hashable {
    /// The name, without the end of the file name.
    package let name: String
    package let path: String
    /// The changes, or what is wrong with the file as a whole.
    package let content: Result<ImportEntries, InvalidText>

    package init(name: String, path: String, content: Result<ImportEntries, InvalidText>) {
        (self.name, self.path, self.content) = (name, path, content)
    }
}
