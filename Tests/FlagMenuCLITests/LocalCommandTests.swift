#if Network
import FlagTesting
import TestSupport
import Testing

/// Overrides work without any source: local commands request no service and need no remote value.
@Suite(.limitedParallelism, .mayBlock) struct LocalCommandTests {
    private let workplace = Workplace()

    private static let variables: [String: String?] = [
        "UNLEASH_FRONTEND_TOKEN": "hush", "LAUNCHDARKLY_MOBILE_KEY": "hush", "SPLIT_EVALUATOR_AUTH_TOKEN": "hush",
        "CLOUDKIT_API_TOKEN": "hush", "GOOGLE_OAUTH_ACCESS_TOKEN": "hush", "POSTHOG_PROJECT_API_KEY": "hush",
        "FLAGSMITH_ENVIRONMENT_KEY": "hush", "STATSIG_CLIENT_KEY": "hush", "GROWTHBOOK_CLIENT_KEY": "hush",
    ]

    /// Every kind of network source, with the URL of a server in place of `URL`.
    private static let sources = [
        #""ofrep:URL""#, #""unleash:URL""#, #""split:URL""#, #""URL/flags.json""#, #""posthog:URL""#,
        #""statsig:URL""#, #""growthbook:URL""#, #""flagsmith:URL""#,
        #"{"source": "launchdarkly:env", "url": "URL"}"#, #"{"source": "cloudkit:iCloud.x", "url": "URL"}"#,
        #"{"source": "firebase:shop", "url": "URL"}"#,
    ]

    /// The commands in the order in which they are run, with the expected standard output of some of them.
    private static let lines: [(line: String, output: String?)] = [
        ("status", nil), ("history", ""), ("export", nil), ("list --overridden", ""),
        ("reset local", ""), ("reset --all --yes", ""), ("set local true --new", ""), ("get local", "true\n"),
        ("set local false", ""), ("list --overridden", "local\tfalse\toverride\n"), ("undo", ""),
        ("get local", "true\n"), ("redo", ""), ("get local", "false\n"), ("status", nil), ("export -", nil),
        ("history --limit 1", nil), ("reset local", ""), ("undo", ""), ("reset --all --yes", ""),
        ("list --overridden", ""),
    ]

    private func flagmenu(_ line: String) -> CommandRun {
        workplace.flagmenu(line.split(separator: " ").map(String.init), environment: Self.variables)
    }

    private func expectLocalCommandsWork(_ what: String) {
        for (line, output) in Self.lines {
            let run = flagmenu(line).expect(0, comment: "\(what), \(line)")
            if let output { #expect(run.text == output, "\(what), \(line)") }
        }
    }

    @Test(arguments: sources) func `local commands request no service and exit with 0`(source: String) async throws {
        let server = try await LoopbackServer { _ in .status(503) }
        workplace.writeTrusted(
            #"{"app": "shop", "source": \#(source.replacing("URL", with: server.url))}"#, environment: Self.variables)
        expectLocalCommandsWork(source)
        #expect(server.requests.isEmpty, "\(server.requests.map(\.path))")
    }

    @Test(arguments: [401, 503])
    func `a run that needs remote values shows what is known, the error, and exits with 5`(status: Int) async throws {
        let server = try await LoopbackServer { _ in .status(status) }
        workplace.write(#"{"greeting": "hi"}"#, to: "defaults.json")
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)", "defaults": "defaults.json"}"#)
        #expect(flagmenu("set local true --new").status == 0)
        for (line, output) in [
            ("get greeting", "hi\n"), ("get greeting local", "hi\ntrue\n"), ("get missing", ""),
            ("list", "greeting\thi\tdefault\nlocal\ttrue\toverride\n"), ("get missing --default x", "x\n"),
        ] {
            let run = flagmenu(line).expect(5, exactly: output, errors: "HTTP status \(status)", comment: line)
            #expect(run.errorText.ranges(of: "HTTP status").count == 1, "once: \(run.errorText)")
        }
        let explain = flagmenu("explain local").expect(5, text: "true")
        #expect(!explain.text.contains("stale"), "\(explain.text)")
        flagmenu("list --stale").expect(5, exactly: "", comment: "nothing is known to be stale")
        flagmenu("set missing 1").expect(5, errors: "HTTP status \(status)")
        #expect(flagmenu("get missing").status == 5, "nothing was changed")
    }

    @Test func `without its source file local commands work, and others exit with 2`() {
        workplace.write(#"{"app": "shop", "source": "gone.json"}"#, to: "flagmenu.json")
        expectLocalCommandsWork("a missing file")
        for line in ["list", "get missing", "set missing 1"] { #expect(flagmenu(line).status == 2, "\(line)") }
        flagmenu("status").expect(text: "gone.json", "no such file")
    }

    @Test(arguments: [("--accessible", 1), ("--accessible --defaults defaults.json", 2)])
    func `the menu opens on overrides and defaults, with the error`(options: String, number: Int) async throws {
        let server = try await LoopbackServer { _ in .status(503) }
        workplace.write(#"{"greeting": "hi"}"#, to: "defaults.json")
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#)
        #expect(flagmenu("set local true --new").status == 0)
        let menu = workplace.flagmenu(options, input: "\(number) = false\nq\n").expect(
            0, text: "HTTP status 503", "local: true, changed")
        #expect(menu.text.contains("greeting: hi") == options.contains("defaults"), "\(menu.text)")
        #expect(flagmenu("get local").text == "false\n")
    }
}
#endif
