import TestSupport
import Testing

/// Where preferences come from, and errors in them.
@Suite struct ConfigurationTests {
    private let workplace = Workplace()

    /// The line of a preference in `flagmenu status --files`.
    private func line(_ name: String, _ arguments: String = "", _ environment: [String: String?] = [:]) -> String {
        let text = workplace.flagmenu("status --files \(arguments)", environment: environment).text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(separator: " ", maxSplits: 2).joined(separator: " ")
            .replacing(workplace.home, with: "HOME").replacing(workplace.path, with: "WORK")
    }

    @Test func `an option wins over the environment, the project file and the user file, in that order`() {
        #expect(line("environment") == #"environment "" the default"#.replacing("\"\" ", with: "\"\"           "))
        workplace.configure(#"{"environment": "user", "readOnly": true, "theme": "light"}"#)
        #expect(line("environment").hasSuffix("HOME/.config/flagmenu/config.json"))
        workplace.write(#"{"environment": "project", "readOnly": false}"#, to: "flagmenu.json")
        #expect(line("environment").hasPrefix(#"environment "project""#))
        #expect(line("environment").hasSuffix("WORK/flagmenu.json"))
        #expect(line("readOnly").hasPrefix("readOnly false"))
        #expect(line("environment", "", ["FLAGMENU_ENVIRONMENT": "variable"]).hasSuffix("FLAGMENU_ENVIRONMENT"))
        #expect(line("readOnly", "--read-only").hasSuffix("--read-only"))
        #expect(line("theme", "", ["NO_COLOR": "1", "FLAGMENU_THEME": "dark"]).hasSuffix("NO_COLOR"))
        #expect(line("theme", "", ["FLAGMENU_THEME": "dark"]).hasSuffix("FLAGMENU_THEME"))
    }

    @Test func `the configuration file comes from the option, the variable or XDG`() {
        workplace.configure(#"{"theme": "light"}"#)
        workplace.write(#"{"theme": "mono"}"#, to: "other.json")
        workplace.write(#"{"theme": "dark"}"#, to: "xdg/flagmenu/config.json")
        #expect(line("theme").hasPrefix(#"theme "light""#))
        #expect(line("theme", "", ["XDG_CONFIG_HOME": workplace.place("xdg")]).hasPrefix(#"theme "dark""#))
        #expect(line("theme", "", ["XDG_CONFIG_HOME": "relative"]).hasPrefix(#"theme "light""#))
        #expect(line("theme", "", ["FLAGMENU_CONFIG": "other.json"]).hasPrefix(#"theme "mono""#))
        workplace.flagmenu("status --files --config other.json").expect(
            text: "config     \(workplace.path)/other.json\n")
        workplace.flagmenu("list --config nowhere.json").expect(2, errors: "No configuration file")
    }

    @Test func `an invalid setting is reported, and the other settings apply`() {
        workplace.configure(#"{"theme": "drak", "mouse": true, "keys": {"list.toggle": ["u", "t"]}}"#)
        workplace.flagmenu("status --files").expect(
            2, errors: #"line 1, column 11: "theme" cannot be "drak". Did you mean "dark"?"#,
            #"u is set for "list.toggle", so "list.undo" has no key."#)
        #expect(line("mouse").hasPrefix("mouse true"))
        workplace.flagmenu("doctor").expect(2, text: "!   config")
        workplace.flagmenu("get login_variant").expect(
            0, comment: "an invalid preference does not prevent reading a value")
    }

    @Test func `invalid JSON in the configuration file is reported with line and column`() {
        workplace.configure("{\"theme\": \"light\",}")
        workplace.flagmenu("status --files").expect(2, errors: "config.json: line 1, column 19:")
        #expect(workplace.flagmenu("list").status == 0)
    }

    @Test func `an invalid value of a variable is reported`() {
        workplace.flagmenu("status --files", environment: ["FLAGMENU_THEME": "lihgt"]).expect(
            2, errors: #"FLAGMENU_THEME cannot be "lihgt". Did you mean "light"?"#)
    }

    @Test(arguments: [#"{"readOnly": "yes"}"#, #"{"environment": 1}"#])
    func `a project file with an invalid read-only or environment setting is an error`(text: String) {
        workplace.write(text, to: "flagmenu.json")
        #expect(workplace.flagmenu("list").status == 2)
    }

    /// If the file or variable that decides whether the run is read-only is invalid, changes are rejected.
    @Test(
        .slow,
        arguments: [
            (#"{"readOnly": tru"#, nil), (#"{"readOnly": "true"}"#, nil), ("[]", nil), (#"{"theme": "dark",}"#, nil),
            (#"{"readOnly": false}"#, "garbage"), ("{}", "of course"),
        ])
    func `an invalid read-only setting rejects changes`(text: String, variable: String?) {
        workplace.configure(text)
        let variables: [String: String?] = ["FLAGMENU_READ_ONLY": variable]
        let place = variable == nil ? "config.json" : "FLAGMENU_READ_ONLY"
        for command in ["set login_variant B", "reset --all --yes", "undo", "activate"] {
            workplace.flagmenu(command, environment: variables).expect(
                2, errors: place, "so nothing was changed.", comment: command)
        }
        workplace.flagmenu("get login_variant", environment: variables).expect(0, exactly: "A\n", errors: place)
        #expect(line("readOnly", "", variables).hasPrefix("readOnly true"))
        #expect(workplace.flagmenu("set login_variant B", environment: ["FLAGMENU_READ_ONLY": "0"]).status == 0)
    }

    @Test(
        .slow,
        arguments: [
            "set login_variant B", "toggle enable_multiple_locations", "reset login_variant", "reset --all --yes",
            "undo",
            "redo", "import overrides.json", "activate",
        ])
    func `read-only rejects every change and exits with 4`(command: String) {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        workplace.write(workplace.flagmenu("export -").text, to: "overrides.json")
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        let before = workplace.flagmenu("list").text
        workplace.flagmenu("\(command) --read-only").expect(
            4, errors: "Read-only (set by --read-only): nothing was changed.")
        workplace.flagmenu(command, environment: ["FLAGMENU_READ_ONLY": "1"]).expect(
            4, errors: "Read-only (set by FLAGMENU_READ_ONLY): nothing was changed.")
        #expect(workplace.flagmenu("list").text == before)
        #expect(workplace.flagmenu("list --read-only").status == 0)
    }

    @Test func `doctor lists stale and expired overrides`() {
        workplace.write(
            #"{"a": "1", "b": "x", "config_categories": [{"category": "C", "items": [{"key": "a", "value": "1|2|3"}, {"key": "b", "value": "x|y", "expires": "2020-01-31"}]}]}"#,
            to: "remote.json")
        for words in ["set a 9 --any", "set b y", "set gone 1 --new"] {
            #expect(workplace.flagmenu("\(words) --source remote.json").status == 0)
        }
        let run = workplace.flagmenu("doctor --source remote.json").expect(
            0, text: #"~   overrides   "a" is stale: "9" is not one of the options."#,
            #""b" expired on 2020-01-31."#, comment: "stale and expired overrides are only warnings")
        let sentence =
            #""gone" is stale: neither the catalog nor a source has this key; an app may still read it."#
        #expect(run.text.contains(sentence))
    }

    @Test func `doctor names the defaults if there is no source`() {
        workplace.write(#"{"a": "1"}"#, to: "defaults.json")
        workplace.flagmenu("doctor --defaults defaults.json").expect(
            text: "source      none; only the defaults of \(workplace.path)/defaults.json")
    }
}

/// The output of `flagmenu prompt`, for a shell prompt.
@Suite struct PromptTests {
    private let workplace = Workplace()

    @Test func `the format of prompt has the number of overrides and the app`() {
        _ = workplace.flagmenu("set login_variant B")
        #expect(workplace.flagmenu(["prompt", "--format", "[%n %a 100%% %x] "]).text == "[1 sample 100% %x] \n")
    }

    @Test func `prompt ignores an unreadable source`() {
        #expect(workplace.flagmenu("set new 1 --new --app shop").status == 0)
        workplace.flagmenu("prompt --app shop --source nowhere.json").expect(0, exactly: "1 override\n", isSilent: true)
    }

    @Test func `prompt does not report invalid settings`() {
        workplace.write("{", to: "flagmenu.json")
        workplace.flagmenu("prompt").expect(0, exactly: "", isSilent: true)
    }

    @Test(arguments: ["$(touch pwned)", "`touch pwned`", "a b", "%F{red}", "\\u001b[31m", "é"])
    func `prompt omits an app name that a shell could run`(app: String) {
        workplace.write(#"{"app": "\#(app)"}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("set login_variant B --new").status == 0)
        #expect(workplace.flagmenu(["prompt", "--format", "<%a>"]).text == "<>\n")
    }

    @Test func `a bash prompt shows the output of prompt`() {
        _ = workplace.flagmenu("set login_variant B")
        workplace.shell(
            #"PS1='$(flagmenu prompt --format "[%n] ")> '; printf '%s' "${PS1@P}""#, ["/bin/bash", "-c"]
        ).expect(exactly: "[1] > ")
    }
}
