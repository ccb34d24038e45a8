import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace

struct PromptCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "prompt", abstract: "Print the number of your changes, for a shell prompt.",
        usage: "flagmenu prompt [--format <text>] [<options>]",
        discussion: """
            EXAMPLES:
              bash   PS1='$(flagmenu prompt --format "[%n] ")\\w \\$ '
              zsh    setopt prompt_subst; PROMPT='$(flagmenu prompt --format "[%n] ")%~ %# '
              fish   function fish_right_prompt; flagmenu prompt; end
              tmux   set -g status-right '#(cd "#{pane_current_path}" && flagmenu prompt)'

            Prints "3 overrides", or "3 changes" with conditions and contexts, or nothing if there are none; then the applied \
            scenario and when the next override ends, as in "3 overrides, checkout +1, next ends in 25 min", and \
            "bisect running" while a bisect by hand has some of your changes off. Only the store is read, no source, \
            and nothing that comes from a file is printed, so it is safe in a prompt.

            In the format, %n is the number, %t the time until the next override ends, %s the applied scenario, with the \
            number of changes that deviate from it, %a the app and %% a percent sign. A name of an app or a scenario that \
            a shell could run is left out.
            """)

    @Option(help: ArgumentHelp("What to print while there are overrides.", valueName: "text"))
    var format: String?

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        do {
            try printCount()
        } catch {
            // The shell shows this prompt after each command; other commands print the error.
            if options.json { throw error }
        }
    }

    private func printCount() throws {
        let settings = try Settings(options.values)
        guard !settings.hasNothing else { return }
        let store = try RunStore.overrides(of: settings)
        let reading = store.read()
        let (count, now) = (reading.table.changeCount, SourceClock.system.now())
        if options.json {
            guard reading.areOverridesKnown else { throw CommandFailure(.store, reading.issue ?? "") }
            JSONOutput.object(
                [
                    ("app", .string(settings.app)), ("overrides", .integer(reading.table.overrides.count)),
                    ("changes", .integer(count)),
                ] + reading.table.endAndScenario
            ).print(indented: false)
            return
        }
        let bisect = (try? LiveSession.searchByHand(in: store)) == nil ? nil : "bisect running"
        if count > 0 || bisect != nil && format == nil {
            let (table, scenario) = (reading.table, Self.scenario(reading.table))
            let words = [table.changesCounted, scenario, table.nextEndWords(at: now), bisect].compactMap { $0 }
            let text = format.map { Self.filled($0, reading.table, app: settings.app, at: now) }
            StandardOutput.write(lines: [text ?? words.joined(separator: ", ")])
        }
    }

    private static func filled(
        _ format: String, _ table: OverrideTable, app: String, at now: FlagTimestamp
    ) -> String {
        let scenario = scenario(table)
        let timeLeft = table.nextEnd.map { OverrideEnd.left(until: $0, at: now) }
        return format.replacing(/%(.)/) { match in
            switch match.1 {
            case "n": "\(table.changeCount)"
            case "t": timeLeft ?? ""
            case "s": scenario ?? ""
            case "a": isHarmless(app) ? app : ""
            case "%": "%"
            default: String(match.0)
            }
        }
    }

    /// The applied scenario with its deviation; `nil` if there is none, or its name is not safe in a prompt.
    private static func scenario(_ table: OverrideTable) -> String? {
        isHarmless(table.scenario?.name ?? "") ? table.scenarioWords : nil
    }

    /// Whether a name has only characters that are safe in a prompt. Shells expand prompts, and an untrusted project may
    /// set the name of the app, and have files of scenarios.
    private static func isHarmless(_ name: String) -> Bool {
        name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
