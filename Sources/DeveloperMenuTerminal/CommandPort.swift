public import DeveloperMenu

/// How the menu reaches what commands do: reports, and the files that overrides are exported to and imported from. Each
/// closure may take its time, is called off the terminal's thread, one at a time, and answers with what happened.
public struct CommandPort: Sendable {
    /// Makes the text of a report.
    public let report: @Sendable (Report) -> Event
    /// Writes the overrides to a file, also over one that is there if told so.
    public let export: @Sendable (_ path: String, _ isReplacing: Bool) -> Event
    /// Reads and checks the overrides in a file.
    public let readImport: @Sendable (_ path: String) -> Event

    /// A port made of closures.
    public init(
        report: @escaping @Sendable (Report) -> Event, export: @escaping @Sendable (String, Bool) -> Event,
        readImport: @escaping @Sendable (String) -> Event
    ) {
        self.report = report
        self.export = export
        self.readImport = readImport
    }
}
