import FlagRemote
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

/// The precedence of settings: arguments, environment, project file, defaults.
@Suite struct SettingsTests {
    private let workplace = Workplace()

    private func value(_ arguments: [String], _ environment: [String: String] = [:], in folder: String? = nil) -> String
    {
        let run = workplace.flagmenu(arguments, environment: environment, in: folder)
        return run.status == 0 ? String(run.text.dropLast()) : "exit \(run.status): \(run.errorText)"
    }

    private func writeSources() {
        for name in ["argument", "variable", "project"] {
            workplace.write(#"{"from": "\#(name)"}"#, to: "\(name).json")
        }
    }

    @Test func `the source comes from arguments, the environment, the project file or the default`() {
        writeSources()
        #expect(value(["get", "login_variant", "--sample"]) == "A")
        workplace.write(#"{"source": "project.json"}"#, to: "flagmenu.json")
        #expect(value(["get", "from"]) == "project")
        let variable = ["FLAGMENU_SOURCE": "variable.json"]
        #expect(value(["get", "from"], variable) == "variable")
        #expect(value(["get", "from", "--source", "argument.json"], variable) == "argument")
        #expect(
            value(["--source", "argument.json", "get", "from"], variable) == "argument",
            "an option before the command wins too")
        #expect(value(["--source=argument.json", "get", "from"], variable) == "argument")
        #expect(
            value(["get", "from", "--source", "project.json", "--source", "argument.json"]) == "project",
            "the first source wins")
        #expect(value(["get", "from"], ["FLAGMENU_SOURCE": "argument.json;project.json"]) == "argument")
        #expect(value(["get", "from", "--source", "file:argument.json"]) == "argument")
        #expect(value(["get", "from", "--source", "file://\(workplace.path)/argument.json"]) == "argument")
    }

    @Test(arguments: SourceRegistry.standard.schemes)
    func `a service is never read as a file`(scheme: String) {
        #expect(
            SourceName.resolve("\(scheme):shop", in: "/home", services: SourceRegistry.standard.schemes)
                == "\(scheme):shop")
    }

    @Test func `app and store come from arguments, the environment, the project file or the default`() {
        func store(_ arguments: [String], _ environment: [String: String] = [:]) -> String {
            let line = String(value(["status", "--files"] + arguments, environment).prefix { $0 != "\n" })
            return line.replacing(workplace.home, with: "HOME").replacing(workplace.path, with: "WORK")
                .replacing("overrides  ", with: "")
        }
        let state = "HOME/.local/state/flagmenu"
        #expect(store([]) == "\(state)/sample/overrides.json")
        let document = store(["--source", "shop.template.json"])
        #expect(document.wholeMatch(of: #/HOME/.local/state/flagmenu/shop-[0-9a-f]{8}/overrides.json/#) != nil)
        workplace.write(#"{"app": "project"}"#, to: "flagmenu.json")
        #expect(store([]) == "\(state)/project/overrides.json")
        #expect(store([], ["FLAGMENU_APP": "variable"]) == "\(state)/variable/overrides.json")
        #expect(store(["--app", "argument"], ["FLAGMENU_APP": "variable"]) == "\(state)/argument/overrides.json")
        #expect(store([], ["XDG_STATE_HOME": "/xdg"]) == "/xdg/flagmenu/project/overrides.json")
        #expect(
            store([], ["XDG_STATE_HOME": "relative"]) == "\(state)/project/overrides.json",
            "a relative path is ignored, as the XDG specification requires")
        workplace.write(#"{"app": "project", "store": "kept"}"#, to: "flagmenu.json")
        #expect(store([]) == "WORK/kept/overrides.json")
        #expect(store([], ["FLAGMENU_STORE": "variable"]) == "WORK/variable/overrides.json")
        #expect(store(["--store", "argument"], ["FLAGMENU_STORE": "variable"]) == "WORK/argument/overrides.json")
    }

    @Test func `the project file is found in parent folders, and its paths are relative to it`() {
        writeSources()
        workplace.write(#"{"sources": ["project.json", "argument.json"], "store": "kept"}"#, to: "flagmenu.json")
        workplace.write("", to: "deep/er/empty")
        let folder = workplace.place("deep/er")
        #expect(value(["get", "from"], in: folder) == "project")
        #expect(workplace.flagmenu(["set", "from", "here"], in: folder).status == 0)
        #expect(workplace.names(in: "kept").contains("overrides.json"))
        #expect(value(["get", "from", "--source", "../../variable.json"], in: folder) == "here")
    }

    @Test(arguments: [
        (#"{"app": }"#, "line 1, column 9"), ("[]", "must contain a JSON object"), ("", "line 1, column 1"),
        (#"{"app": 3}"#, "line 1, column 9: \"app\" must be a string"),
        ("{\n  \"source\": [1]}", "line 2, column 14: \"source\" must be a string, an object"),
    ])
    func `an invalid project file is an error and exits with 2`(content: String, expected: String) {
        workplace.write(content, to: "flagmenu.json")
        workplace.flagmenu("list").expect(2, exactly: "", errors: "\(workplace.path)/flagmenu.json", expected)
    }

    @Test(arguments: ["ln -s flagmenu.json flagmenu.json", "mkdir flagmenu.json", "mkfifo flagmenu.json"])
    func `an unreadable project file stops every command, because it may set read-only`(making: String) {
        #expect(workplace.shell(making).status == 0)
        for command in ["set login_variant B", "init --source remote.json --yes --replace", "list"] {
            workplace.flagmenu(command).expect(
                2, exactly: "", errors: "'flagmenu.json'", workplace.path, comment: command)
        }
        #expect(workplace.names(in: "\(workplace.home)/.local/state/flagmenu") == [])
        #expect(workplace.shell("mkdir below && cd below && flagmenu set login_variant B").status == 2)
        #expect(workplace.shell("rm -r flagmenu.json && flagmenu get login_variant").text == "A\n")
    }

    @Test func `doctor reports an unreadable project file as a finding`() {
        for making in ["ln -s flagmenu.json flagmenu.json", "rm flagmenu.json; echo '{,}' > flagmenu.json"] {
            #expect(workplace.shell(making).status == 0)
            let run = workplace.flagmenu("doctor").expect(2, isSilent: true)
            #expect(run.text.hasPrefix("!   settings    ") && run.text.contains("/flagmenu.json"), "\(run.text)")
            workplace.flagmenu("doctor --json").expect(2, text: #""subject": "settings""#, #""ok": false"#)
        }
    }

    @Test func `an unknown setting is reported with the nearest known one`() {
        workplace.write(#"{"sorce": "x.json"}"#, to: "flagmenu.json")
        let hint = #""sorce" is not a setting and was ignored. Did you mean "source"?"#
        workplace.flagmenu("get login_variant").expect(2, errors: hint, comment: "it may be why no source is named")
        #expect(workplace.flagmenu("list --app shop").errorText.contains(hint))
        #expect(workplace.flagmenu("list --app shop -q").errorText == "")
    }

    @Test func `launch values win over everything and are never saved`() {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        let variable = ["FLAGMENU_LAUNCH": "login_variant=V,maximum_item_count=1"]
        #expect(value(["get", "login_variant"], variable) == "V")
        #expect(value(["get", "maximum_item_count"], variable) == "1")
        #expect(value(["get", "login_variant", "--launch", "login_variant=a=b"], variable) == "a=b")
        #expect(value(["get", "x"], ["FLAGMENU_LAUNCH": "x=1,2\ny=3"]) == "1,2")
        #expect(value(["get", "x"], ["FLAGMENU_LAUNCH": #"{"x": {"a": 1}}"#]) == #"{"a":1}"#)
        let run = workplace.flagmenu(["set", "login_variant", "A", "--launch", "login_variant=L"])
        #expect(run.errorText == "login_variant: L -> L (was launch; hidden by this run's launch value)\n")
        #expect(value(["get", "login_variant"]) == "A")
        let stored = workplace.read("\(workplace.home)/.local/state/flagmenu/sample/overrides.json") ?? ""
        #expect(stored.contains("login_variant") && !stored.contains("\"L\"") && !stored.contains("maximum"))
    }

    @Test func `commands work without HOME and USER`() {
        // The user's home folder may have other apps, one of which would be the app without --app.
        workplace.flagmenu(
            ["set", "login_variant", "B", "--store", "kept", "--app", "sample"],
            environment: ["HOME": nil, "USER": nil]
        ).expect(0)
        #expect(workplace.flagmenu(["status", "--files"], environment: ["HOME": nil]).status == 0)
        #expect(workplace.flagmenu(["status", "--files"], environment: ["HOME": ""]).status == 0)
    }

    @Test(arguments: [
        ["set", "maximum_item_count", "-5", "--any"],
        ["set", "--any", "maximum_item_count", "-1500", "--launch", "a=b"],
        ["set", "--any", "--", "maximum_item_count", "-5"],
    ])
    func `a negative number is accepted as a value`(arguments: [String]) {
        #expect(workplace.flagmenu(arguments).status == 0)
        #expect(value(["get", "maximum_item_count"]).hasPrefix("-"))
    }
}
