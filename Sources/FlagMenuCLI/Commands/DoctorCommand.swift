import ArgumentParser
import FlagModel
import FlagStorage
import FlagWorkspace
import TerminalShell
import TerminalUI

/// `flagmenu doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check sources, catalog, store and terminal; print errors and how to fix them.",
        usage: "flagmenu doctor [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu doctor --source remote.json
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let findings = findings()
        if options.json {
            JSONOutput.array(findings.map(\.json)).print()
        } else {
            StandardOutput.write(lines: findings.flatMap { $0.lines(columns: LineWidth.ofOutput) })
        }
        try StandardOutput.flush()
        if let status = findings.compactMap(\.failure).first { throw CommandFailure(status, "") }
    }

    /// All findings. If the settings cannot be read, their error is the only finding.
    private func findings() -> [Finding] {
        do throws(CommandFailure) {
            return Finding.all(try Settings(options))
        } catch {
            return [Finding.failure("settings", error)]
        }
    }
}
