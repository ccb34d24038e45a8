import FlagModel
import FlagPresence
import TestSupport
import Testing

/// Why overrides exist, and when they end by themselves.
@Suite(.mayBlock) struct NotesAndEndsTests {
    private let workplace = Workplace.shop()

    @Test func `every command says the note and the end of an override`() {
        workplace.flagmenu("set show_map false --note BUG-1 --for 150m").expect(
            0, errors: "show_map: true -> false (was remote)\nshow_map: note \"BUG-1\", ends in 2 h 30 min", " UTC)"
        )
        workplace.flagmenu("set limit 7 --note -1 --json").expect(0, text: #""newLayer": "override""#, #""note": "-1""#)
        #expect(workplace.flagmenu("reset limit").status == 0)
        workplace.onTerminal("list --overridden").expect(text: "overridden, BUG-1, ends in 2 h")
        for line in ["list --overridden --json", "get show_map --json", "explain show_map --json"] {
            workplace.flagmenu(line).expect(text: #""note": "BUG-1""#, #""endsAt": "20"#, comment: line)
        }
        workplace.flagmenu("explain show_map").expect(text: ", BUG-1, ends in 2 h")
        workplace.flagmenu("status").expect(text: "changed    1 override, next ends in 2 h 30 min\n")
        workplace.flagmenu("status --json").expect(text: #""nextEndsAt": "20"#)
        workplace.flagmenu("prompt").expect(exactly: "1 override, next ends in 2 h 30 min\n")
        workplace.flagmenu("prompt --json").expect(text: #""nextEndsAt":"20"#)
        #expect(workplace.flagmenu(["prompt", "--format", "[%n %t%s]"]).text == "[1 2 h 30 min]\n")
        workplace.flagmenu("history").expect(text: #"show_map: not set -> false, note "BUG-1", until 20"#)
        workplace.flagmenu("history --json").expect(text: #""note": {"#, #""new": "BUG-1""#, #""end": {"#)
        #expect(workplace.flagmenu("list --overridden").text == "show_map\tfalse\toverride\n", "scripts get no notes")
    }

    @Test func `a dry run says the note and the end`() {
        workplace.flagmenu("set limit 7 --note BUG-1 --for 2h --dry-run").expect(
            0, errors: "limit: 10 -> 7\nlimit: note \"BUG-1\", ends in 2 h")
        workplace.flagmenu("set --matching limit 7 --for 2h --dry-run").expect(
            0, errors: "limit: 10 -> 7\nlimit: ends in 2 h")
        #expect(workplace.flagmenu("list --overridden").text == "")
        #expect(workplace.flagmenu("set limit 7 --for 150m").status == 0)
        workplace.flagmenu("set limit 8 --keep-end --dry-run").expect(0, errors: "limit: 7 -> 8\n", without: "end")
        workplace.flagmenu("set --matching limit 7 --for 2h --yes --dry-run").expect(
            0, errors: "limit: ends in 2 h", without: "Nothing would change")
    }

    @Test func `notes and ends are exported and imported, and options win over a file`() {
        #expect(workplace.flagmenu("set limit 7 --note BUG-1 --for 150m").status == 0)
        let text = workplace.flagmenu("export").expect(text: #""notes""#, #""limit": "BUG-1""#, #""ends""#).text
        let other = Workplace.shop()
        other.flagmenu("import -", input: text).expect(
            0, errors: #"limit: 10 -> 7 (was remote)"#, #"limit: note "BUG-1", ends in 2 h 30 min"#)
        other.flagmenu("import - --for 3d", input: text).expect(0, errors: "limit: ends in 3 days (20")
        other.flagmenu("import - --keep-end", input: #"{"limit": 8}"#).expect(0, errors: "limit: 7 -> 8")
        other.flagmenu("prompt").expect(text: ", next ends in ")
    }

    @Test func `an override that has ended is not read, and the next change removes it`() {
        #expect(workplace.flagmenu("set limit 7 --for 1s").status == 0)
        #expect(Clock.wait { workplace.flagmenu("get limit").text == "10\n" })
        #expect(workplace.flagmenu("list --overridden").text == "")
        #expect(workplace.flagmenu("set ratio 1").status == 0)
        workplace.flagmenu("history").expect(text: "  time  end limit\n    limit: 7 -> not set\n")
    }

    @Test func `a new value keeps the note but not the end, unless that is kept`() {
        #expect(workplace.flagmenu("set limit 7 --note BUG-1 --for 150m").status == 0)
        workplace.flagmenu("set limit 8").expect(
            0, errors: "limit: 7 -> 8 (was override)\nlimit: no end\n", without: "no note")
        #expect(workplace.flagmenu("set limit 8 --for 150m").status == 0)
        for line in ["set limit 9 --keep-end", "set --matching limit 6 --yes --keep-end"] {
            workplace.flagmenu(line).expect(0, errors: "limit: ", without: "end", comment: line)
            workplace.flagmenu("list --overridden --json").expect(
                text: #""note": "BUG-1""#, #""endsAt": "20"#, comment: line)
        }
        #expect(workplace.flagmenu("toggle theme --for 3d").errorText.contains("theme: ends in 3 days ("))
        #expect(!workplace.flagmenu("toggle theme --keep-end").errorText.contains("no end"))
    }

    @Test func `a filter gives all of its overrides the end, also those with the value`() {
        #expect(workplace.flagmenu("set theme light").status == 0)
        workplace.flagmenu("set --matching is:overridden light --yes --for 150m").expect(
            0, errors: "1 flag already has the value: theme.", "theme: ends in 2 h 30 min")
        #expect(workplace.flagmenu("set limit 7").status == 0)
        workplace.flagmenu("set --matching cat:numbers 8 --yes --for 150m").expect(
            0, errors: "2 flags, each: ends in 2 h 30 min")
    }

    @Test func `times are those of the machine's time zone, and a past one is tomorrow's`() {
        func set(_ time: String) -> CommandRun {
            workplace.flagmenu(["set", "limit", "7", "--until", time], environment: ["TZ": "XYZ-5:30"])
        }
        set("00:00").expect(0, errors: "limit: ends in ", ", tomorrow (20", " 00:00 XYZ)\n")
        workplace.flagmenu("list --overridden --json").expect(text: #"T18:30:00Z""#)
        set("2099-12-01 18:00").expect(0, errors: "(2099-12-01 18:00 XYZ)\n")
        set("2099-12-01T18:00:00Z").expect(0, errors: "(2099-12-01 23:30 XYZ)\n")
        for time in ["2020-01-01 10:00", "2020-01-01T10:00:00Z"] { set(time).expect(2, errors: "has passed") }
        for time in ["soon", "2h", "25:00", "never", "restart"] { set(time).expect(2, errors: "'\(time)'") }
    }

    @Test func `options that do not fit are rejected, and nothing is changed`() {
        for options in ["--for 2h --until 18:00", "--until-restart --keep-end"] {
            workplace.flagmenu("set limit 7 \(options)").expect(2, errors: "Use only one of", comment: options)
        }
        workplace.flagmenu("set limit 7 --for 2x").expect(2, errors: "'2x'", "30m, 2h or 3d")
        for line in ["set limit 7", "toggle show_map", "set --matching limit 7 --yes", "import in.json"] {
            workplace.write(#"{"limit": 7}"#, to: "in.json")
            workplace.flagmenu("\(line) --until-restart").expect(2, errors: "no app with the id shop", comment: line)
        }
        #expect(workplace.flagmenu("list --overridden").text == "")
    }

    @Test func `an override until the restart ends with the processes that ran then`() throws {
        let folder = "\(workplace.home)/.local/state/flagmenu/shop"
        func announce() throws -> PresenceFile {
            let file = PresenceFile(in: folder)
            let app = RunningApp(
                id: file.id, name: "shop", process: 1, startedAt: 1, overrideFolder: folder, flags: [])
            try file.write(app.text(flags: []))
            return file
        }
        let app = try announce()
        workplace.flagmenu("set limit 7 --until-restart").expect(0, errors: "limit: ends when the app restarts\n")
        let later = try announce()
        #expect(workplace.flagmenu("set limit 8 --keep-end").status == 0)
        workplace.flagmenu("get limit --json").expect(text: #""value": "8""#, #""endsWithRestart": true"#)
        app.end()
        #expect(workplace.flagmenu("get limit").text == "10\n")
        withExtendedLifetime(later) {}
    }

    @Test func `a note says why an override exists, and needs one`() {
        workplace.flagmenu("note limit BUG-1").expect(1, errors: "limit is not overridden")
        workplace.flagmenu("note nosuch BUG-1").expect(1, errors: "nosuch")
        #expect(workplace.flagmenu("set limit 7").status == 0)
        workplace.flagmenu(["note", "limit", "BUG-1, ask Ana"]).expect(
            0, exactly: "", errors: "limit: note \"BUG-1, ask Ana\"\n", without: "->")
        workplace.flagmenu("history --limit 1").expect(text: "  note limit\n    limit: 7, note \"BUG-1, ask Ana\"\n")
        workplace.flagmenu(["note", "limit", "BUG-1, ask Ana"]).expect(0, errors: "says that already")
        workplace.flagmenu(["note", "limit", ""]).expect(0, errors: "limit: no note\n")
        workplace.flagmenu("undo").expect(0, errors: "limit: note \"BUG-1, ask Ana\"\n")
        workplace.flagmenu("explain limit").expect(text: "BUG-1, ask Ana")
    }

    @Test func `a note cannot control the terminal`() {
        #expect(workplace.flagmenu(["set", "limit", "7", "--note", "\u{1B}[31mred"]).status == 0)
        for line in ["list --overridden", "explain limit", "history"] {
            #expect(!workplace.onTerminal(line).text.contains("\u{1B}"), "\(line)")
        }
    }

    @Test func `prompt and status name the applied scenario, if a shell cannot run its name`() {
        func apply(_ name: String) {
            workplace.write(
                """
                {"format": 2, "revision": 1,
                 "overrides": {"limit": {"value": "7"}, "ratio": {"value": "1"}},
                 "scenario": {"name": "\(name)", "overrides": {"limit": "7"}, "contexts": {}}}
                """, to: "kept/overrides.json")
        }
        apply("checkout")
        let prompt = ["prompt", "--format", "<%s>", "--store", "kept"]
        #expect(workplace.flagmenu(prompt).text == "<checkout +1>\n")
        workplace.flagmenu("status --store kept").expect(text: "scenario   checkout +1\n")
        workplace.flagmenu("status --store kept --json").expect(text: #""name": "checkout""#, #""deviations": 1"#)
        apply("$(touch pwned)")
        #expect(workplace.flagmenu(prompt).text == "<>\n")
    }

    @Test func `doctor names overrides that were set in the future`() {
        workplace.write(
            """
            {"format": 2, "revision": 1, "overrides": {"limit": {"value": "7", "setAt": "2999-01-01T00:00:00Z"}}}
            """, to: "kept/overrides.json")
        workplace.flagmenu("doctor --store kept").expect(
            0, text: #""limit" was set at 2999-01-01T00:00:00Z, which is in the future"#)
        #expect(workplace.flagmenu("get limit --store kept").text == "7\n", "it stays")
    }
}
