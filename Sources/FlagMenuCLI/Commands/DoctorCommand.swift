import ArgumentParser
import FlagModel
import FlagWorkspace

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "doctor",
        abstract: "Check sources, catalog, store and terminal; print errors and how to fix them.",
        usage: "flagmenu doctor [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu doctor --source remote.json
            """)

    /// How long a service may take to respond: a diagnosis should be fast.
    static let limit = Duration.seconds(10)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let findings: [Finding]
        do throws(CommandFailure) {
            findings = Finding.all(try Settings(options.values))
        } catch {
            findings = [Finding.failure("settings", error)]
        }
        options.print(
            .array(findings.map(\.json)), or: findings.flatMap { $0.lines(columns: LineWidth.ofOutput) })
        try StandardOutput.flush()
        if let status = findings.failure { throw CommandFailure(status, "") }
    }
}
