import ArgumentParser
import FlagModel
import FlagWorkspace

/// `flagmenu firebase versions`.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the versions of a Firebase template, the newest first.",
        usage: "flagmenu firebase versions [--limit <count>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu firebase versions --source firebase:my-shop
              flagmenu firebase versions --limit 5 --json

            Firebase keeps 300 versions. flagmenu firebase publish --rollback <version> publishes one of them again.
            """)

    @Option(help: ArgumentHelp("At most this many versions.", valueName: "count"))
    var limit = 20

    @OptionGroup(title: "General options") var options: GlobalOptions

    /// The allowed values of `--limit`: Firebase stores up to 300 versions.
    private static let limits = 1...300

    func validate() throws {
        guard Self.limits.contains(limit) else {
            throw ValidationError(
                "--limit must be a whole number from \(Self.limits.lowerBound) to \(Self.limits.upperBound).")
        }
    }

    func run() throws {
        let settings = try Settings(options)
        try settings.requireTrust()
        let versions = try PublishedTemplate(settings, Services(settings.environment)).versions(count: limit)
        if settings.isJSON {
            JSONOutput.array(versions.map(\.json)).print()
        } else {
            let rows = versions.map(\.cells)
            let widths = (0..<4).map { column in rows.map { $0[column].columns }.max() ?? 0 }
            StandardOutput.write(
                lines: rows.map { row in
                    zip(row, widths).map { $0.filled(to: $1) }.joined(separator: "  ").trimmed
                })
        }
        try StandardOutput.flush()
    }
}
