import TestSupport
import Testing

/// The built program without a terminal: a screen as text.
@Suite struct PlainTests {
    private let workplace = Workplace()

    private func demo(_ arguments: String..., environment: [String: String?] = [:]) -> CommandRun {
        workplace.write(RemoteMap.document, to: "remote-map.json")
        return CommandRun(
            [Workplace.demo, "--plain"] + arguments, environment: workplace.changed(environment),
            directory: workplace.path)
    }

    @Test(arguments: ["location", "login", "items", "onboarding"])
    func `a screen as text`(screen: String) {
        let run = demo("--source", "remote-map.json", "--screen", screen)
        #expect(run.status == 0 && run.words == "")
        let mismatch = Snapshot.mismatch(run.text, named: "plain-\(screen)")
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    @Test func `a variant as text, by a launch value that is never saved`() {
        let run = demo("--source", "remote-map.json", "--launch", "enable_multiple_locations=true", "--size", "40x10")
        #expect(run.text.contains("Location 1") && run.text.contains("launch"))
        let mismatch = Snapshot.mismatch(run.text, named: "plain-launch-40x10")
        #expect(mismatch == nil, "\(mismatch ?? "")")
        #expect(demo("--source", "remote-map.json").text.contains("Single Location"))
        let byVariable = demo(
            "--source", "remote-map.json", environment: ["FLAGMENU_LAUNCH": "enable_multiple_locations=true"])
        #expect(byVariable.text.contains("Location 10"))
    }

    @Test func `both variants as text`() {
        let run = demo("--source", "remote-map.json", "--variants", "--screen", "login")
        let mismatch = Snapshot.mismatch(run.text, named: "plain-variants")
        #expect(mismatch == nil, "\(mismatch ?? "")")
        // What is shown beside each other is nowhere else.
        #expect(workplace.flagmenu("export --source remote-map.json").text.contains("\"overrides\": {}"))
    }

    @Test func `flagmenu on the same source, or on none, changes the same app`() {
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        #expect(demo().text.contains("Location 10"))
        #expect(demo("--source", "remote-map.json").text.contains("Single Location"))
        #expect(workplace.flagmenu("set enable_multiple_locations true --source remote-map.json").status == 0)
        #expect(demo("--source", "remote-map.json").text.contains("* enable_multiple_locations · override · true"))
        #expect(workplace.flagmenu("set maximum_item_count 10 --source remote-map.json --store kept").status == 0)
        #expect(
            demo("--source", "remote-map.json", "--store", "kept", "--screen", "items").text.contains("10 of 100"))
    }

    @Test func `variables and file: name the source and the app as they do for flagmenu`() {
        #expect(workplace.flagmenu("set enable_multiple_locations true --new --app shop").status == 0)
        for (arguments, variables) in [
            ([], ["FLAGMENU_SOURCE": "file:remote-map.json;more.json", "FLAGMENU_APP": "shop"]),
            (["--source", "file://remote-map.json"], ["FLAGMENU_SOURCE": "nosuch.json", "FLAGMENU_APP": "shop"]),
            (["--source", "file:./remote-map.json", "--app", "shop"], ["FLAGMENU_APP": "other"]),
        ] {
            workplace.write("{}", to: "more.json")
            workplace.write(RemoteMap.document, to: "remote-map.json")
            let run = CommandRun(
                [Workplace.demo, "--plain"] + arguments, environment: workplace.changed(variables),
                directory: workplace.path)
            #expect(run.status == 0 && run.words == "", "\(run.words)")
            #expect(run.text.contains("* enable_multiple_locations · override · true"), "\(run.text)")
            #expect(run.text.contains("remote-map.json"), "\(run.text)")
        }
        // Left out, the app is what flagmenu makes of the source.
        let own = demo(environment: ["FLAGMENU_SOURCE": "remote-map.json"])
        #expect(own.text.contains("Single Location"), "\(own.text)")
    }

    @Test(
        arguments: [
            (["--source", "http://example.com/a.json"], [:]), ([], ["FLAGMENU_SOURCE": "https://example.com/a.json"]),
        ] as [([String], [String: String])])
    func `a source that needs a network is refused`(arguments: [String], variables: [String: String]) {
        let run = CommandRun(
            [Workplace.demo, "--plain"] + arguments, environment: workplace.changed(variables),
            directory: workplace.path)
        #expect(run.status == 2 && run.words.contains("This version does not read sources of"), "\(run.words)")
    }

    @Test func `an app id that leads elsewhere is refused in words of flagmenu`() {
        for (arguments, variables) in [
            (["--app", "../elsewhere"], [:]), ([], ["FLAGMENU_APP": "a/b"]),
        ] as [([String], [String: String])] {
            let run = CommandRun(
                [Workplace.demo, "--plain"] + arguments, environment: workplace.changed(variables),
                directory: workplace.path)
            let other = workplace.flagmenu(["list"] + arguments, environment: variables)
            #expect(run.status == 2 && other.status == 2)
            let sentence = other.words.dropFirst("flagmenu: ".count).prefix { $0 != "\n" }
            #expect(!sentence.isEmpty && run.words.contains(sentence), "\(run.words) \(other.words)")
        }
    }

    @Test func `a source that is missing is told, and defaults are shown`() {
        let run = CommandRun(
            [Workplace.demo, "--plain", "--source", "nosuch.json", "--screen", "login"],
            environment: workplace.environment, directory: workplace.path)
        #expect(run.status == 0)
        #expect(run.text.contains("nosuch.json") && run.text.contains("(default)"), "\(run.text)")
    }

    @Test func `in a locale without UTF-8 everything is ASCII`() {
        let run = demo("--source", "remote-map.json", environment: ["LC_ALL": "C"])
        #expect(run.text.unicodeScalars.allSatisfy(\.isASCII) && run.text.contains("+ Single -"))
    }

    @Test(arguments: [
        (["--size", "80"], "columnsxrows"), (["--screen", "cart"], "onboarding"), (["--app", "a/b"], "200 bytes"),
        (["--launch", "x"], "KEY=VALUE"), (["--nosuch"], "--nosuch"),
    ])
    func `what cannot be understood is a sentence, and ends with 2`(arguments: [String], words: String) {
        let run = CommandRun(
            [Workplace.demo, "--plain"] + arguments, environment: workplace.environment, directory: workplace.path)
        #expect(run.status == 2 && run.text == "")
        #expect(run.words.contains(words), "\(run.words)")
    }

    @Test func `without a terminal it says so, and how to go on`() {
        let run = CommandRun([Workplace.demo], environment: workplace.environment, directory: workplace.path)
        #expect(run.status == 2)
        #expect(run.words.contains("not both a terminal") && run.words.contains("--plain"))
    }

    @Test func `help tells how two terminals share flags`() {
        let run = CommandRun(
            [Workplace.demo, "--help"], environment: workplace.environment, directory: workplace.path)
        #expect(run.status == 0)
        let mismatch = Snapshot.mismatch(run.text, named: "help-text")
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }
}
