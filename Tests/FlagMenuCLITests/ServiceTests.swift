#if Network
import DeveloperMenu
import FlagModel
import FlagRemote
import FlagTesting
import Flags
import Foundation
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import DeveloperMenuTerminal
@testable import FlagMenuCLI
@testable import FlagWorkspace

/// Remote values from a service, read by the built program.
@Suite(.limitedParallelism) struct ServiceTests {
    private let workplace = Workplace()

    private let server: LoopbackOFREP

    init() async throws { server = try await Self.server() }

    private static func server(token: String? = nil) async throws -> LoopbackOFREP {
        try await LoopbackOFREP(
            [
                .init(
                    "discount-banner", "true", reason: "TARGETING_MATCH", variant: "enabled",
                    metadata: #"{"team": "shop"}"#),
                .init("max-items", "42"),
            ], token: token)
    }

    private func project(_ server: LoopbackOFREP, _ members: String = "") {
        workplace.writeSource("ofrep:\(server.url)", members)
    }

    @Test func `a service is read like a file and requested once`() {
        let source = "--source ofrep:\(server.url)"
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        #expect(workplace.flagmenu("get discount-banner \(source)").text == "true\n")
        #expect(server.server.requests.count == 1, "cached values are used until the next fetch")
        workplace.flagmenu("explain discount-banner \(source)").expect(
            text: "variant enabled, TARGETING_MATCH", "team: shop", "options: true | false")
        workplace.flagmenu("explain discount-banner --json \(source)").expect(
            text: #""note": "variant enabled, TARGETING_MATCH""#)
        #expect(workplace.flagmenu("status \(source)").text.contains("source     ofrep:\(server.url)/"))
        #expect(server.server.requests.first?.headers["User-Agent"]?.hasPrefix("flagmenu/") == true)
        #expect(server.server.requests.first?.json?["context"]?["targetingKey"]?.text == "flagmenu")
    }

    @Test(arguments: ["fetch", "list"])
    func `a rate limit applies to the next run, even without cached values`(command: String) {
        server.server.respond { _ in .status(429, headers: [("Retry-After", "3600")]) }
        let source = "--source ofrep:\(server.url)"
        #expect(workplace.flagmenu("\(command) \(source)").status == 5)
        let count = server.server.requests.count
        workplace.flagmenu("\(command) \(source)").expect(5, errors: "rate limited; retry in")
        #expect(server.server.requests.count == count)
    }

    @Test func `if the cache cannot be written, no command claims that values were cached`() {
        project(server)
        #expect(workplace.flagmenu("fetch").status == 0 && workplace.flagmenu("doctor").status == 0)
        let cached = "'\(workplace.home)/.cache/flagmenu/shop'"
        #expect(workplace.shell("mv \(cached) \(workplace.home)/kept && touch \(cached)").status == 0)
        workplace.flagmenu("fetch").expect(4, errors: "Fetched: 2 values were read, but not cached")
        workplace.flagmenu("fetch --json").expect(4, text: "could not be cached")
        workplace.flagmenu("doctor").expect(
            4, text: "!   cache       Not a directory", "-> Make the folder writable")
        #expect(workplace.shell("rm \(cached) && mv \(workplace.home)/kept \(cached)").status == 0)
        #expect(workplace.flagmenu("doctor").status == 0)
    }

    @Test func `a first response without flags is valid`() async throws {
        let server = try await LoopbackOFREP([])
        workplace.flagmenu("fetch --source ofrep:\(server.url)").expect(
            errors: "Fetched for the first time: 0 values are in use.")
    }

    @Test func `an error names the source, whatever setting is invalid`() {
        let url = "\(server.url)/some/path"
        for (source, environment, words) in [
            (
                "ofrep:\(url)", ["OFREP_TOKEN": "hush\nhush"],
                "ofrep:127.0.0.1:\(server.server.port): the variable OFREP_TOKEN must contain"
            ),
            ("firebase:shop", ["GOOGLE_APPLICATION_CREDENTIALS": "/nope"], "firebase:shop: /nope: no such file."),
            ("ofrep:flags.example.com", [:], "ofrep:flags.example.com: not a valid URL of an OFREP server"),
        ] as [(String, [String: String?], String)] {
            workplace.flagmenu("list --source \(source)", environment: environment).expect(
                2, errors: "flagmenu: \(words)")
            workplace.flagmenu("doctor --source \(source)", environment: environment).expect(
                2, text: "source      \(words)")
            workplace.flagmenu(
                "fetch --source \(source) --source ofrep:\(server.url)", environment: environment
            ).expect(errors: words, without: "hush")
        }
        #expect(server.server.requests.allSatisfy { !$0.path.contains("some") })
    }

    @Test func `activate before the first fetch suggests fetch`() {
        let run = workplace.flagmenu("activate --source ofrep:\(server.url)").expect(5)
        #expect(run.errorText == "flagmenu: Nothing was fetched yet; flagmenu fetch fetches.\n", "\(run.errorText)")
    }

    @Test func `explain shows the value of each source`() async throws {
        workplace.write(#"{"max-items": "7", "own": "1"}"#, to: "own.json")
        workplace.writeTrusted(#"{"app": "shop", "sources": ["own.json", "ofrep:\#(server.url)"]}"#)
        workplace.flagmenu("explain max-items").expect(
            text: "> remote    7   from own.json, active, fetched just now\n",
            "\n              ofrep:127.0.0.1:\(server.server.port)  42   fetched just now\n")
        workplace.flagmenu("explain discount-banner").expect(text: "from ofrep:127.0.0.1:\(server.server.port), active")
        workplace.flagmenu("explain max-items --json").expect(
            text: #""source": "\#(workplace.place("own.json"))""#, #""source": "ofrep:\#(server.url)/""#)
        await server.server.refuse()
        workplace.flagmenu("fetch").expect(5, errors: "stay in use", comment: "the failed source keeps its values")
        #expect(workplace.flagmenu("explain own").text.contains("from own.json, active, fetched just now"))
    }

    @Test func `fetched values wait for activation, and a second fetch sends the ETag`() async throws {
        let source = "--source ofrep:\(server.url)"
        workplace.flagmenu("fetch \(source)").expect(errors: "Fetched for the first time: 2 values are in use.")
        #expect(workplace.flagmenu("fetch \(source)").errorText.contains("nothing has changed"))
        #expect(server.server.requests.last?.headers["If-None-Match"] == server.etag)
        await server.set([.init("max-items", "7")])
        workplace.flagmenu("fetch \(source)").expect(0, errors: "2 values differ. flagmenu activate")
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        #expect(workplace.flagmenu("activate \(source)").status == 0)
        #expect(workplace.flagmenu("get max-items \(source)").text == "7\n")
        #expect(server.server.requests.count == 3)
    }

    @Test func `a context without cached values is saved immediately and fetched later`() async throws {
        project(server)
        #expect(workplace.flagmenu("list").status == 0)
        let settings = try workplace.settings()
        let run = try RunStore(settings)
        run.flags.openRemote()
        let remote = run.flags.remote
        let change = ContextChange(
            source: settings.sources[0].shown, edits: [.set(name: "country", value: "\"FR\"")])
        #expect(try run.flags.changeContext(change).notice == nil)
        #expect(remote.current.evaluations.count == 1 && !remote.current.hasValues)
        #expect(server.server.requests.count == 1, "changing the context sends no request")
        #expect(await remote.fetch(.withoutResponse, isActivating: true) == .fetchedFromRemote)
        let reading = run.flags.remoteReading
        #expect(reading.snapshot.values["max-items"]?.string == "42" && reading.sources.errors.isEmpty)
        #expect(server.server.requests.last?.json?["context"]?["country"]?.text == "FR")
        // Cached values are in use immediately.
        _ = try run.flags.changeContext(ContextChange(source: change.source, edits: [.reset]))
        #expect(remote.current.hasValues && server.server.requests.count == 2)
    }

    @Test func `an unreachable source is skipped by the next command if others have values`() {
        server.server.inject(.reset, times: .max)
        workplace.write(#"{"own": "1"}"#, to: "own.json")
        workplace.writeTrusted(#"{"app": "shop", "sources": ["ofrep:\#(server.url)", "own.json"]}"#)
        // Shell completion sends no request.
        #expect(workplace.flagmenu("---completion get -- positional@0 2 0 flagmenu get ow").text == "own\n")
        #expect(server.server.requests.isEmpty)
        workplace.flagmenu("get own").expect(exactly: "1\n", errors: "127.0.0.1")
        let count = server.server.requests.count
        #expect(count > 0)
        workplace.flagmenu("get own").expect(exactly: "1\n", errors: "a fetch retries now")
        #expect(server.server.requests.count == count)
        server.server.recover()
        #expect(workplace.flagmenu("fetch").status == 0)
        workplace.flagmenu("get max-items").expect(exactly: "42\n", isSilent: true)
    }

    @Test func `an error of live updates is not reported for another context`() async throws {
        project(server)
        #expect(workplace.flagmenu("list").status == 0)
        server.server.respond { request in
            request.path.hasSuffix("/events") ? .status(503) : server.reply(to: request)
        }
        let settings = try workplace.settings()
        let run = try RunStore(settings)
        run.flags.openRemote()
        let reported = Mutex<[String]>([])
        let menu = TerminalMenu(
            flags: run.flags, store: run.store, target: MenuTarget(app: "shop", source: "remote"),
            settings: MenuSettings(run))
        let reports = RemoteReports(menu)
        let observation = run.flags.observe { change in
            guard case .sources(let update) = change.cause else { return }
            for case .liveUpdatesChanged(source: 0, let error) in reports.reports(of: update, change.new.remote) {
                reported.withLock { $0.append(error ?? "none") }
            }
        }
        defer { observation.cancel() }
        let subscription = Task { await run.flags.followRemote() }
        try await wait(for: "the error") { reported.withLock { $0.last?.contains("HTTP status 503") == true } }
        server.offerEvents([])
        let change = ContextChange(
            source: settings.sources[0].shown, edits: [.set(name: "country", value: "\"FR\"")])
        _ = try run.flags.changeContext(change)
        // Another thread may deliver the change.
        #expect(Clock.wait { reported.withLock { $0.last } == "none" })
        subscription.cancel()
        await subscription.value
    }

    @Test(arguments: ["refused", "reset", "401", "500", "malformed"])
    func `after a failed fetch cached values stay in use, and the error is printed`(fault: String) async throws {
        let source = "--source ofrep:\(server.url)"
        workplace.flagmenu("fetch \(source)").expect(0)
        switch fault {
        case "refused": await server.server.refuse()
        case "reset": server.server.inject(.reset, times: .max)
        case "malformed": server.server.inject(.json("{"), times: .max)
        default: server.server.inject(.status(Int(fault) ?? 500), times: .max)
        }
        workplace.flagmenu("fetch \(source)").expect(5, errors: "127.0.0.1:\(server.server.port): ", "stay in use")
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        #expect(workplace.flagmenu("doctor \(source)").expect(text: "127.0.0.1").status != 0)
    }

    @Test func `credentials come from variables and files and are never shown`() async throws {
        let server = try await Self.server(token: "hush-token")
        var output = ""
        func run(_ line: String, _ environment: [String: String?] = [:]) -> CommandRun {
            let run = workplace.flagmenu(line, environment: environment)
            output += run.text + run.errorText
            return run
        }
        project(server)
        #expect(run("get max-items").status == 5)
        #expect(run("get max-items", ["OFREP_TOKEN": "hush-token"]).text == "42\n")
        project(server, #""tokenVariable": "SHOP_TOKEN", "context": {"email": "ana@example.com"}"#)
        run("get max-items").expect(2, errors: "the variable SHOP_TOKEN must contain the token")
        #expect(run("get max-items", ["SHOP_TOKEN": "hush-token"]).text == "42\n")
        #expect(server.server.requests.last?.json?["context"]?["email"]?.text == "ana@example.com")
        #expect(run("get max-items").text == "42\n", "cached values need no credentials")
        #expect(run("fetch").errorText.contains("SHOP_TOKEN"))
        workplace.write("hush-token\n", to: "secrets/token")
        project(server, #""tokenFile": "secrets/token""#)
        #expect(run("fetch").status == 0)
        workplace.expectReportsHide("hush", key: "max-items", environment: ["OFREP_TOKEN": "hush-token"])
        #expect(run("fetch", ["OFREP_TOKEN": "hush-wrong"]).status == 0, "the project file does not use OFREP_TOKEN")
        project(server)
        #expect(run("fetch", ["OFREP_TOKEN": "hush-wrong"]).errorText.contains("(HTTP status 401)"))
        #expect(!output.contains("hush"), "\(output)")
        workplace.expectNotSaved("hush")
    }

    @Test func `the URL comes from OFREP_ENDPOINT if the source has none`() async throws {
        let endpoint = ["OFREP_ENDPOINT": server.url]
        #expect(workplace.flagmenu("get max-items --source ofrep:", environment: endpoint).text == "42\n")
        let fetch = workplace.flagmenu("fetch --source ofrep:", environment: endpoint).expect(0)
        #expect(server.server.requests.count == 2, "\(fetch.errorText)")
        #expect(server.server.requests.allSatisfy { $0.path == "/ofrep/v1/evaluate/flags" })
        let other = try await LoopbackOFREP([.init("max-items", "7")])
        let named = workplace.flagmenu("get max-items --source ofrep:\(other.url)", environment: endpoint).expect(
            exactly: "7\n")
        #expect(server.server.requests.count == 2, "\(named.errorText)")
        workplace.flagmenu("get max-items --source ofrep:", environment: ["OFREP_ENDPOINT": ""]).expect(
            2, errors: "or set OFREP_ENDPOINT to it")
    }

    @Test func `OFREP_TIMEOUT_MS sets the timeout, and an invalid value is reported`() {
        let source = "--source ofrep:\(server.url)"
        workplace.flagmenu("get max-items \(source)", environment: ["OFREP_TIMEOUT_MS": "30000"]).expect(
            exactly: "42\n")
        server.server.inject(.hang, times: .max)
        for line in ["fetch \(source)", "doctor \(source)"] {
            workplace.flagmenu(line, environment: ["OFREP_TIMEOUT_MS": "300"]).expect(5, anywhere: "within 300 ms")
        }
        server.server.recover()
        for value in ["soon", "0", "-300", "1.5"] {
            workplace.flagmenu("fetch \(source)", environment: ["OFREP_TIMEOUT_MS": value]).expect(
                2, errors: "OFREP_TIMEOUT_MS must be a whole number of milliseconds", "\"\(value)\"", "stay in use")
        }
        workplace.flagmenu("get max-items \(source)", environment: ["OFREP_TIMEOUT_MS": "soon"]).expect(exactly: "42\n")
    }

    @Test(arguments: [
        (#""token": "hush""#, "tokenVariable"), (#""tokenVariabel": "X""#, "Did you mean"),
        (#""pollSeconds": 0"#, "at least 1"),
        (#""context": []"#, "an object"), (#""changes": "often""#, "one of events"),
    ])
    func `an invalid setting of a source is reported with its position`(members: String, words: String) {
        workplace.writeTrusted(#"{"source": {"source": "ofrep:https://flags.example.com", \#(members)}}"#)
        workplace.flagmenu("list").expect(2, errors: words, "line 1, column", without: "hush")
    }

    @Test func `a duplicate source is read once and reported`() async throws {
        let server = try await Self.server(token: "hush-one")
        func project(_ context: String) {
            let entries = [("ONE", ""), ("TWO", context)].map { name, context in
                #"{"source": "ofrep:\#(server.url)", "tokenVariable": "\#(name)"\#(context)}"#
            }
            workplace.writeSources(entries)
        }
        let environment: [String: String?] = ["ONE": "hush-one", "TWO": "hush-two"]
        project("")
        workplace.flagmenu("get max-items", environment: environment).expect(exactly: "42\n")
        #expect(server.server.requests.map { $0.headers["Authorization"] } == ["Bearer hush-one"])
        #expect(
            workplace.flagmenu("doctor", environment: environment).expect(
                text: "duplicate of ofrep:\(server.url)"
            ).status != 0)
        project(#", "context": {"country": "FR"}"#)
        workplace.flagmenu("doctor", environment: environment).expect(
            text: "HTTP status 401", comment: "a source with another context is not a duplicate")
    }
}
#endif
