import TestSupport
import Testing

/// Completion scripts work, and no key, value or category can make a shell run anything.
@Suite(.slow) struct CompletionTests {
    private let workplace = Workplace()

    /// Keys that a shell would interpret.
    private static let evil = #"""
        {"plain": "on", "$(touch pwned)": "1", "`touch pwned`": "2", "a;touch pwned": "3", "a b": "4", "~root": "5",
         "{a,b}": "6", "quo'te\"": "7", "$HOME": "8", "star*": "9", "back\\slash": "10", "-n": "11", "\u001b[31m": "12",
         "config_categories": [{"category": "Two words", "items": [
           {"key": "plain", "value": "on|$(touch pwned)|`touch pwned`|&touch pwned"}]}]}
        """#

    private func isPwned() -> Bool { workplace.names(in: ".").contains("pwned") }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each completion script has valid syntax`(shell: String) throws {
        guard let path = InstalledProgram.path(shell) else { try Test.cancel("\(shell) is not installed") }
        workplace.write(workplace.flagmenu("completions \(shell)").text, to: "script")
        workplace.shell("script", [path, "-n"]).expect(0, isSilent: true)
    }

    /// The completions that bash offers for a command line. The last word is the one to complete.
    private func bash(_ words: [String]) -> [String] {
        workplace.write(workplace.flagmenu("completions bash").text, to: "script.bash")
        let driver = """
            shopt -s extglob
            . ./script.bash
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _flagmenu flagmenu "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        workplace.write(driver, to: "driver.bash")
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        return workplace.shell("bash driver.bash \(quoted)").text.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: InstalledProgram.has("bash"), "bash is not installed"))
    func `bash completes commands, keys, values, categories and options`() {
        #expect(bash(["flagmenu", "se"]) == ["set", "serve"])
        #expect(bash(["flagmenu", "get", "--sample", "enable"]) == ["enable_multiple_locations"])
        #expect(bash(["flagmenu", "--sample", "set", "login_variant", ""]) == ["A", "B"])
        #expect(bash(["flagmenu", "list", "--sample", "--category", "L"]) == ["Location", "Login"])
        #expect(bash(["flagmenu", "list", "--over"]) == ["--overridden"])
        #expect(bash(["flagmenu", "--sour"]) == ["--source"])
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        #expect(bash(["flagmenu", "reset", "--sample", ""]).first == "login_variant")
        workplace.write(#"{"mine": "1"}"#, to: "my file.json")
        #expect(bash(["flagmenu", "get", "--source", "my\\ file.json", ""]) == ["mine"])
        #expect(bash(["flagmenu", "get", "--source", "'my file.json'", ""]) == ["mine"])
        #expect(bash(["flagmenu", "--source", "\"my file.json\"", "get", "m"]) == ["mine"])
    }

    @Test(
        .enabled(if: InstalledProgram.has("bash"), "bash is not installed"),
        arguments: [
            ("Two", "Two\\ words"), ("Two\\ w", "Two\\ words"), ("'Two w", "Two words"), ("\"Two", "Two words"),
            ("'It", "It'\\''s"), ("\"$(", "\\$(touch pwned)"), ("'$(", "$(touch pwned)"),
        ])
    func `bash quotes a candidate once, as the word to complete is quoted`(typed: String, candidate: String) {
        workplace.write(
            #"""
            {"config_categories": [{"category": "Two words", "items": [{"key": "a"}]},
              {"category": "It's", "items": [{"key": "b"}]}, {"category": "$(touch pwned)", "items": [{"key": "c"}]}]}
            """#, to: "categories.json")
        #expect(bash(["flagmenu", "list", "--source", "categories.json", "--category", typed]) == [candidate])
        #expect(!isPwned())
    }

    @Test(.enabled(if: InstalledProgram.has("bash"), "bash is not installed"))
    func `bash runs no code from a key, a value or a category`() {
        workplace.write(Self.evil, to: "evil.json")
        let keys = bash(["flagmenu", "get", "--source", "evil.json", ""])
        let values = bash(["flagmenu", "set", "--source", "evil.json", "plain", ""])
        let categories = bash(["flagmenu", "list", "--source", "evil.json", "--category", ""])
        #expect(!isPwned())
        #expect(keys.first == "plain" && keys.contains("a\\ b") && !keys.contains { $0.hasPrefix("-") })
        #expect(categories == ["Two\\ words", "Other"])
        // On a command line, the offered candidates are the same words again and still run nothing.
        let line = (keys + values).joined(separator: " ")
        workplace.shell("printf '%s\\n' \(line)", ["/bin/bash", "-c"]).expect(
            text: "$(touch pwned)\n", "\nback\\slash\n")
        #expect(!isPwned())
    }

    @Test(arguments: ["bash", "zsh", "fish", nil])
    func `candidates with control sequences are not offered to any shell`(shell: String?) {
        workplace.write(Self.evil, to: "evil.json")
        workplace.flagmenu(
            ["---completion", "get", "--", "positional@0", "4", "0", "flagmenu", "get", "--source", "evil.json", ""],
            environment: ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"]
        ).expect(0, text: "plain\n", without: "\u{1B}", "[31m")
    }

    @Test func `an unreadable source gives no completions and no error`() {
        let run = workplace.flagmenu(
            ["---completion", "get", "--", "positional@0", "4", "0", "flagmenu", "get", "--source", "nosuch.json", ""],
            environment: ["SAP_SHELL": "bash"]
        ).expect(0, isSilent: true)
        #expect(run.text.allSatisfy { $0.isWhitespace })
    }
}
