import FlagRemote
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// The man page and the help of every command, which come from the same definitions.
@Suite struct ManualTests {
    private static let commands = FlagMenu.commands.map(\.name)

    @Test(.slow, arguments: commands)
    func `help starts with examples and fits 80 columns`(command: String) {
        let run = Workplace().flagmenu("\(command) --help").expect(0)
        let paragraphs = run.text.split(separator: "\n\n")
        #expect(paragraphs.count > 2 && paragraphs[1].hasPrefix("EXAMPLE"), "\(run.text)")
        #expect(paragraphs.count > 1 && paragraphs[1].contains("flagmenu"))
        for line in run.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `the main help lists every command and fits 80 columns`() {
        for arguments in [["--help"], ["-h"], ["help"]] {
            let run = Workplace().flagmenu(arguments).expect(0)
            for command in Set(Self.commands.map { $0.prefix { $0 != " " } }) {
                #expect(run.text.contains("\n  \(command) ") || run.text.contains("\n  \(command), "), "\(command)")
            }
            #expect(run.text.contains("--source") && run.text.contains("EXAMPLES:"))
            for line in run.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        #expect(Workplace().flagmenu("--version").text == "flagmenu 0.2.0\n")
    }

    @Test func `the man page names every command, option and exit code`() throws {
        let page = ManualPage().text.replacing("\\-", with: "-").replacing("\\e", with: "\\")
        for command in Self.commands { #expect(page.contains("\n.SS flagmenu \(command)\n"), "\(command)") }
        let aloneOnLine = [
            "--json", "--quiet", "--no-color", "--any", "--new", "--all", "--yes", "--dry-run", "--replace",
            "--skip-invalid", "--exit-code", "--initial",
        ]
        for option in GlobalOptions.valueOptions + ["--default", "--limit", "--matching", "--unset"] + aloneOnLine {
            #expect(page.contains(option), "\(option)")
        }
        for kind in SourceRegistry.standard.kinds {
            #expect(
                page.contains(
                    "\n.B \(kind.address.isURL ? "https://HOST/PATH" : "\(kind.scheme):\(kind.address.placeholder)")\n")
            )
            for option in kind.options.flatMap(\.members) { #expect(page.contains("\(option.name)"), "\(option.name)") }
        }
        for status in ExitStatus.allCases { #expect(page.contains("\n.B \(status.rawValue)\n\(status.meaning)\n")) }
    }

    @Test func `exit codes do not change`() {
        #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 130])
    }

    @Test func `completions know every option that takes a value`() throws {
        let help = Workplace().flagmenu(["doctor", "--help"]).text
        let options = help.matches(of: #/\n  (?:-\w, )?(--[a-z-]+) </#).map { String($0.output.1) }
        #expect(Set(options) == Set(GlobalOptions.valueOptions))
    }

    @Test(.enabled(if: InstalledProgram.has("groff"), "groff is not installed"))
    func `groff prints no warnings for the man page`() {
        let workplace = Workplace()
        workplace.write(workplace.flagmenu("manual").text, to: "flagmenu.1")
        let run = workplace.shell("groff -man -Tutf8 -P-cbou -wall -rLL=78n flagmenu.1").expect(0, isSilent: true)
        #expect(run.text.contains("EXIT STATUS"))
        for line in run.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
