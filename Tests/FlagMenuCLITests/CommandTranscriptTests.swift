import TestSupport
import Testing

/// The whole output and exit code of every command, with and without `--json`, as a user of a shell sees it.
@Suite struct CommandTranscriptTests {
    /// The commands of each snapshot.
    private static let commands = [
        "reading": [
            "list", "list --json", "list --category numbers", "list --category nosuch", "list --overridden",
            "get show_map", "get empty", "get limit --json", "get unlisted", "get nosuch --default -1",
            "get show_map nosuch limit empty", "get show_map nosuch limit --json", "get limit nosuch --default 0",
            "explain theme", "explain theme --json", "explain greeting", "history", "history --json", "list --stale",
        ],
        "changing": [
            "set show_map off", "set show_map false", "set limit -5", "set ratio 1e3 --quiet", "list --overridden",
            "set theme light --json", "toggle theme", "toggle show_map", "toggle show_map", "set greeting Servus",
            "list --overridden --json", "explain show_map", "list --stale", "reset limit ratio", "reset limit",
            "reset --category screens", "reset --category screens --yes", "reset --category Screens", "reset --all",
            "reset --all --yes", "reset --all --yes", "undo",
            "undo --json", "redo", "history --limit 3", "history --limit 2 --json",
        ],
        "errors": [
            "get show_mpa", "get greet", "explain zzzzzzzz", "set show_mapp true", "set theme blue",
            "set theme blue --any", "set limit ten", "set limit ten --any", "set brand_new 1", "set brand_new 1 --new",
            "toggle greeting", "toggle nosuch", "reset nosuch", "reset", "reset --all show_map", "redo", "lst",
            "get", "--nosuch", "set show_map", "list --nosuch", "list --jsn", "list --order size", "doctor it's",
            "list --category", "history --limit x", "import nosuch.json",
            "completions tcsh", "--app a/b list", "--source http://example.com/x.json list", "--launch nonsense list",
        ],
    ]

    @Test(arguments: ["reading", "changing", "errors"])
    func `reading, changing and rejected commands match their snapshots`(name: String) throws {
        var transcript = Transcript(.shop())
        for line in try #require(Self.commands[name]) { transcript.run(line) }
        transcript.expectSnapshot(name)
    }

    @Test func `export and import match their snapshot`() {
        var transcript = Transcript(.shop())
        transcript.workplace.write(#"{"show_map": false, "limit": 7}"#, to: "plain.json")
        transcript.workplace.write(
            #"{"format": 1, "revision": 3, "overrides": {"theme": {"value": "light", "setBy": "bo"}}}"#, to: "kept.json"
        )
        for line in [
            "export", "import plain.json --dry-run", "import plain.json --dry-run --json", "import plain.json",
            "export", "import kept.json --replace --dry-run", "import kept.json --replace --json", "export out.json",
            "export --dry-run", "import out.json", "import plain.json --dry-run --replace",
        ] { transcript.run(line) }
        transcript.run("import -", input: #"{"ratio": 2.5}"#)
        transcript.run("import -", input: #"{"ratio": 2.5,}"#)
        transcript.run("import -", input: "[]")
        transcript.run("import -", input: #"{"ratio": null}"#)
        transcript.run("import -", input: #"{"ratio": 1, "nosuch": 1}"#)
        transcript.run("import - --new --any", input: #"{"nosuch": {"a": [1, 2]}, "theme": "blue"}"#)
        transcript.run("export -")
        transcript.expectSnapshot("moving")
    }

    @Test func `fetch, status and activate match their snapshot`() {
        var transcript = Transcript(.shop())
        for line in ["fetch", "status", "activate"] { transcript.run(line) }
        transcript.workplace.write(Documents.shopLater, to: "shop.json")
        for line in [
            "fetch", "get theme", "status", "status --json", "fetch --json", "activate", "get theme", "activate --json",
        ] { transcript.run(line) }
        transcript.expectSnapshot("fetching")
    }

    @Test func `files and doctor match their snapshot`() {
        var transcript = Transcript(.shop())
        for line in ["status --files", "status --files --json", "doctor", "doctor --json"] { transcript.run(line) }
        let workplace = transcript.workplace
        workplace.write(
            #"{"a": 1, "config_categories": [{"category": "C", "items": [{}, {"key": "a"}, 3]}]}"#, to: "odd.json")
        workplace.write(#"{"a": tru}"#, to: "bad.json")
        for line in ["doctor --source odd.json", "doctor --source bad.json", "doctor --source nosuch.json"] {
            transcript.run(line)
        }
        transcript.expectSnapshot("status")
    }
}
