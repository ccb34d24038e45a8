import TestSupport
import Testing

/// The built demo program without a terminal: it prints a screen as text.
@Suite struct PlainTests {
    private let workplace = Workplace()

    private func run(_ arguments: [String], _ changes: [String: String?] = [:]) -> CommandRun {
        CommandRun([Workplace.demo] + arguments, environment: workplace.changed(changes), directory: workplace.path)
    }

    /// Prints a screen, with the document of the article beside it.
    private func demo(_ arguments: String..., environment: [String: String?] = [:]) -> CommandRun {
        workplace.write(RemoteMap.document, to: "remote-map.json")
        return run(["--plain"] + arguments, environment)
    }

    @Test(arguments: ["location", "login", "items", "onboarding"])
    func `--plain prints a screen as text`(screen: String) {
        let run = demo("--source", "remote-map.json", "--screen", screen)
        #expect(run.status == 0 && run.errorText == "")
        let mismatch = Snapshot.mismatch(run.text, named: "plain-\(screen)")
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    @Test func `a launch value selects a variant and is never saved`() {
        let run = demo("--source", "remote-map.json", "--launch", "enable_multiple_locations=true", "--size", "40x10")
        #expect(run.text.contains("Location 1") && run.text.contains("launch"))
        let mismatch = Snapshot.mismatch(run.text, named: "plain-launch-40x10")
        #expect(mismatch == nil, "\(mismatch ?? "")")
        #expect(demo("--source", "remote-map.json").text.contains("Single Location"))
        let byVariable = demo(
            "--source", "remote-map.json", environment: ["FLAGMENU_LAUNCH": "enable_multiple_locations=true"])
        #expect(byVariable.text.contains("Location 10"))
    }

    @Test func `--variants prints both variants`() {
        let run = demo("--source", "remote-map.json", "--variants", "--screen", "login")
        let mismatch = Snapshot.mismatch(run.text, named: "plain-variants")
        #expect(mismatch == nil, "\(mismatch ?? "")")
        // Showing both variants saves no override.
        #expect(workplace.flagmenu("export --source remote-map.json").text.contains("\"overrides\": {}"))
    }

    @Test func `flagmenu and the demo change the same app if they have the same source`() {
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        #expect(demo().text.contains("Location 10"))
        #expect(demo("--source", "remote-map.json").text.contains("Single Location"))
        #expect(workplace.flagmenu("set enable_multiple_locations true --source remote-map.json").status == 0)
        #expect(demo("--source", "remote-map.json").text.contains("* enable_multiple_locations · override · true"))
        #expect(workplace.flagmenu("set maximum_item_count 10 --source remote-map.json --store kept").status == 0)
        #expect(
            demo("--source", "remote-map.json", "--store", "kept", "--screen", "items").text.contains("10 of 100"))
    }

    @Test func `FLAGMENU_SOURCE, FLAGMENU_APP and file URLs work as in flagmenu`() {
        #expect(workplace.flagmenu("set enable_multiple_locations true --new --app shop").status == 0)
        for (arguments, variables) in [
            ([], ["FLAGMENU_SOURCE": "file:remote-map.json;more.json", "FLAGMENU_APP": "shop"]),
            (["--source", "file://remote-map.json"], ["FLAGMENU_SOURCE": "nosuch.json", "FLAGMENU_APP": "shop"]),
            (["--source", "file:./remote-map.json", "--app", "shop"], ["FLAGMENU_APP": "other"]),
        ] {
            workplace.write("{}", to: "more.json")
            workplace.write(RemoteMap.document, to: "remote-map.json")
            let run = run(["--plain"] + arguments, variables)
            #expect(run.status == 0 && run.errorText == "", "\(run.errorText)")
            #expect(run.text.contains("* enable_multiple_locations · override · true"), "\(run.text)")
            #expect(run.text.contains("remote-map.json"), "\(run.text)")
        }
        // Without an app id, the id comes from the source, as in flagmenu.
        let withoutAppID = demo(environment: ["FLAGMENU_SOURCE": "remote-map.json"])
        #expect(withoutAppID.text.contains("Single Location"), "\(withoutAppID.text)")
    }

    @Test(
        arguments: [
            (["--source", "http://example.com/a.json"], [:]), ([], ["FLAGMENU_SOURCE": "https://example.com/a.json"]),
        ] as [([String], [String: String])])
    func `a source that needs a network is rejected`(arguments: [String], variables: [String: String]) {
        run(["--plain"] + arguments, variables).expect(2, errors: "This version does not read sources of")
    }

    @Test func `an invalid app id is rejected with the same message as in flagmenu`() {
        for (arguments, variables) in [
            (["--app", "../elsewhere"], [:]), ([], ["FLAGMENU_APP": "a/b"]),
        ] as [([String], [String: String])] {
            let run = run(["--plain"] + arguments, variables)
            let flagmenuRun = workplace.flagmenu(["list", "--source", "x.json"] + arguments, environment: variables)
            #expect(run.status == 2 && flagmenuRun.status == 2)
            let sentence = flagmenuRun.errorText.dropFirst("flagmenu: ".count).prefix { $0 != "\n" }
            #expect(!sentence.isEmpty && run.errorText.contains(sentence), "\(run.errorText) \(flagmenuRun.errorText)")
        }
    }

    @Test func `a missing source is reported, and default values are shown`() {
        run(["--plain", "--source", "nosuch.json", "--screen", "login"]).expect(0, text: "nosuch.json", "(default)")
    }

    @Test func `without a UTF-8 locale, output in a pipe is UTF-8 all the same`() {
        let run = demo("--source", "remote-map.json", environment: ["LC_ALL": "C"])
        #expect(run.text == demo("--source", "remote-map.json").text && run.text.contains("┌"), "\(run.text)")
    }

    @Test(arguments: [
        (["--size", "80"], "columnsxrows"), (["--screen", "cart"], "onboarding"), (["--app", "a/b"], "200 bytes"),
        (["--launch", "x"], "KEY=VALUE"), (["--nosuch"], "--nosuch"),
    ])
    func `invalid arguments print an error and exit with 2`(arguments: [String], words: String) {
        let run = run(["--plain"] + arguments)
        #expect(run.status == 2 && run.text == "")
        #expect(run.errorText.contains(words), "\(run.errorText)")
    }

    @Test func `without a terminal it prints an error that suggests --plain and exits with 2`() {
        run([]).expect(2, errors: "is not a terminal", "--plain")
    }

    @Test func `--help prints the help text in the snapshot`() {
        let run = run(["--help"])
        #expect(run.status == 0)
        let mismatch = Snapshot.mismatch(run.text, named: "help-text")
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }
}
