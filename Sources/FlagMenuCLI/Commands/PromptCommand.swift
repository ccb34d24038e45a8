import ArgumentParser
import FlagModel
import FlagStorage

/// `flagmenu prompt`.
struct PromptCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "prompt", abstract: "Print a few words for a shell prompt while overrides are in force.",
        usage: "flagmenu prompt [--format <text>] [<options>]",
        discussion: """
            EXAMPLES:
              bash   PS1='$(flagmenu prompt --format "[%n] ")\\w \\$ '
              zsh    setopt prompt_subst; PROMPT='$(flagmenu prompt --format "[%n] ")%~ %# '
              fish   function fish_right_prompt; flagmenu prompt; end
              tmux   set -g status-right '#(cd "#{pane_current_path}" && flagmenu prompt)'

            Prints "3 overrides", or nothing if there are none. Only the store is read, no source, and nothing that \
            comes from a file is printed, so it is safe in a prompt.

            In the format, %n is the number, %a the app and %% a percent sign. An app name that a shell could run \
            is left out.
            """)

    @Option(help: ArgumentHelp("What to print while there are overrides.", valueName: "text"))
    var format: String?

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let settings: Settings
        do {
            settings = try Settings(options)
        } catch {
            // A prompt appears after each command: errors are printed by every other command.
            if options.json { throw error }
            return
        }
        let reading = RunStore.overrides(of: settings).read()
        let count = reading.table.overrides.count
        if options.json {
            guard reading.areOverridesKnown else { throw CommandFailure(.store, reading.problem ?? "") }
            JSONOutput.object([("app", .string(settings.app)), ("overrides", .integer(count))]).print(indented: false)
        } else if count > 0 {
            let text = format.map { Self.filled($0, count: count, app: settings.app) } ?? count.counted("override")
            StandardOutput.write(lines: [text])
        }
    }

    private static func filled(_ format: String, count: Int, app: String) -> String {
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "%", let code = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch code {
            case "n": text += String(count)
            case "a": text += isHarmless(app) ? app : ""
            case "%": text += "%"
            default: text += "%\(code)"
            }
        }
        return text
    }

    /// Shells expand prompts, some repeatedly; an app's name may come from an untrusted project.
    private static func isHarmless(_ app: String) -> Bool {
        app.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }
}
