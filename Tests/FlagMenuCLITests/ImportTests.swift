import TestSupport
import Testing

/// `flagmenu import` of files with errors, and what `export` records about its origin.
@Suite struct ImportTests {
    private let workplace = Workplace.shop()

    @Test func `every error of a file is printed, and the rest can be imported`() {
        var transcript = Transcript(workplace)
        let mixed =
            #"{"ratio": "2.5", "theme": "blue", "limit": "ten", "nosuch": "1", "shw_map": "1", "greeting": null}"#
        for line in [
            "import -", "import - --dry-run", "import - --new", "import - --skip-invalid --dry-run",
            "import - --skip-invalid", "export --dry-run", "import - --skip-invalid --new --any",
        ] { transcript.run(line, input: mixed) }
        transcript.run("import - --skip-invalid", input: #"{"theme": "blue"}"#)
        transcript.run("import -", input: #"{"theme": "blue", "greeting": "Servus"}"#)
        transcript.expectSnapshot("import")
    }

    @Test(arguments: [
        #"{"parameters": {"a": {"defaultValue": {"value": "1"}}}}"#, #"[{"category": "A", "items": [{"key": "a"}]}]"#,
        #"{"a": "1", "config_categories": []}"#,
    ])
    func `a document of flags is not imported, and the command that opens it is named`(document: String) {
        workplace.write(document, to: "remote.json")
        let run = workplace.flagmenu("import remote.json").expect(2)
        #expect(run.errorText.hasSuffix("Nothing was changed; flagmenu --source remote.json opens it.\n"))
        #expect(workplace.flagmenu("prompt").text.isEmpty)
    }

    @Test func `of a store's file, what has ended is not used, and notes and ends are kept`() {
        let file = #"""
            {"format": 2, "revision": 2, "overrides": {
              "theme": {"value": "blue", "endsAt": "2020-01-01T00:00:00Z"},
              "ratio": {"value": "2.5", "note": "why", "endsAt": "2200-01-01T00:00:00Z"}}}
            """#
        workplace.write(file, to: "old/overrides.json")
        #expect(workplace.flagmenu("diff old old/overrides.json").text == "")
        workplace.write(#"{"ratio": "2.5"}"#, to: "ratio.json")
        workplace.flagmenu("diff old/overrides.json ratio.json").expect(0, without: "theme")
        workplace.flagmenu("import old/overrides.json").expect(0, errors: "note \"why\"", without: "theme")
        #expect(workplace.flagmenu("list --overridden").text.contains("ratio"))
    }

    @Test func `an import that changes only an end or a note is no import of nothing`() {
        #expect(workplace.flagmenu("set ratio 2.5").status == 0)
        let file = #"{"exportedAt": "2026-11-21T10:00:00Z", "overrides": {"ratio": "2.5"}, "notes": {"ratio": "why"}}"#
        workplace.flagmenu("import - --dry-run", input: file).expect(0, errors: "ratio: note \"why\"")
        #expect(workplace.flagmenu("import -", input: file).status == 0)
        #expect(workplace.flagmenu("explain ratio").text.contains("why"))
        workplace.flagmenu("import - --state 2", input: file).expect(2, errors: "has no shared state")
    }

    @Test func `comments are read only in a file called jsonc`() {
        let text = "{\n  // soon\n  \"ratio\": \"2.5\",\n}\n"
        workplace.write(text, to: "in.jsonc")
        workplace.write(text, to: "in.json")
        #expect(workplace.flagmenu("import in.json").status == 2)
        #expect(workplace.flagmenu("import in.jsonc").status == 0)
        #expect(workplace.flagmenu("get ratio").text == "2.5\n")
    }

    @Test(arguments: [("y", 0), ("n", 1)])
    func `on a terminal import prompts for unknown keys`(response: String, status: Int32) {
        workplace.write(#"{"nosuch": "1", "ratio": "2.5"}"#, to: "in.json")
        workplace.onTerminal("import in.json", typing: [response]).expect(
            status, text: "1 key is unknown: nosuch. Import anyway? [y/N]")
        #expect(workplace.flagmenu("export").text.contains("nosuch") == (response == "y"))
    }

    @Test func `an export names its app and source, and import reads only its overrides`() {
        let (one, other) = (workplace, Workplace.shop())
        #expect(one.flagmenu("set theme light").status == 0)
        let text = one.flagmenu("export").expect(text: #""app": "shop""#, #""source": "shop.json""#).text
        #expect(text.contains(#/"exportedAt": "\d{4}-\d\d-\d\dT[^"]*Z"/#), "\(text)")
        #expect(other.flagmenu("import -", input: text).status == 0)
        #expect(other.flagmenu("get theme").text == "light\n")
        one.write(text, to: "exported.json")
        one.flagmenu("list --source exported.json").expect(2, errors: "flagmenu import")
        // Without a date, it is an object of flags.
        let flags = #"{"overrides": {"theme": "dark"}}"#
        #expect(other.flagmenu("import - --new", input: flags).errorText.contains("overrides: not set"))
    }
}
