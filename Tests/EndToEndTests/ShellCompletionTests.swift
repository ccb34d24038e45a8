import Foundation
import TestSupport
import Testing

/// Tab completion in real shells, on a real terminal.
@Suite(.slow, .enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct ShellCompletionTests {
    private let workplace = Workplace()

    /// Starts an interactive shell with the completions installed as users install them.
    private func start(_ shell: String) throws -> TerminalWindow {
        let script = workplace.flagmenu("completions \(shell)").text
        let home = workplace.home
        switch shell {
        case "fish":
            workplace.write(script, to: "\(home)/.config/fish/completions/flagmenu.fish")
            workplace.write("function fish_prompt; echo 'ready> '; end", to: "\(home)/.config/fish/config.fish")
        case "zsh":
            workplace.write(script, to: "\(home)/functions/_flagmenu")
            workplace.write(
                "fpath=(~/functions $fpath); autoload -U compinit; compinit -u -d ~/dump; PS1='ready> '",
                to: "\(home)/.zshrc")
        default:
            workplace.write("\(script)\nPS1='ready> '", to: "\(home)/.bashrc")
        }
        workplace.write(
            #"""
            {"plain": "1", "$(touch pwned)": "2", "`touch pwned`": "3", "a b": "4",
             "config_categories": [{"category": "Two words", "items": [{"key": "a b"}]}]}
            """#, to: "evil.json")
        let window = try TerminalWindow(workplace, "exec \(shell) -i", columns: 120, showing: ["ready>"])
        return window
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `Tab completes commands and keys without running shell code in key names`(shell: String) throws {
        guard InstalledProgram.has(shell) else { try Test.cancel("\(shell) is not installed") }
        let window = try start(shell)
        try window.press("flagmenu tog", "Tab", showing: "flagmenu toggle")
        window.press("C-u", "flagmenu get --sample enab", "Tab")
        try window.wait(for: "flagmenu get --sample enable_multiple_locations")
        try window.press("C-u", "flagmenu set --source evil.json pl", "Tab", showing: "evil.json plain")
        try window.press("C-u", "flagmenu --source evil.json get pl", "Tab", showing: "get plain")
        window.press("C-u", "flagmenu list --source evil.json --category Tw", "Tab")
        try window.wait(for: #"--category Two\ words"#)
        window.press("C-u", "flagmenu list --source evil.json --category 'Tw", "Tab")
        try window.wait(for: "--category 'Two words'")
        // bash lists candidates only at the second Tab.
        window.press("C-u", "flagmenu get --source evil.json ", "Tab", "Tab")
        try window.wait("all keys") { $0.contains("plain") && $0.contains("touch") && $0.contains("pwned") }
        #expect(!workplace.names(in: ".").contains("pwned"))
    }
}
