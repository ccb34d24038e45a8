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

    private func server(token: String? = nil) async throws -> LoopbackOFREP {
        try await LoopbackOFREP(
            [
                .init(
                    "discount-banner", "true", reason: "TARGETING_MATCH", variant: "enabled",
                    metadata: #"{"team": "shop"}"#),
                .init("max-items", "42"),
            ], token: token)
    }

    private func project(_ server: LoopbackOFREP, _ members: String = "") {
        let more = members.isEmpty ? "" : ", \(members)"
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)"\#(more)}}"#)
    }

    @Test func `a service is read like a file and requested once`() async throws {
        let server = try await server()
        let source = "--source ofrep:\(server.url)"
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        #expect(workplace.flagmenu("get discount-banner \(source)").text == "true\n")
        #expect(server.server.requests.count == 1, "cached values are used until the next fetch")
        let explanation = workplace.flagmenu("explain discount-banner \(source)").text
        #expect(
            explanation.contains("variant enabled, TARGETING_MATCH") && explanation.contains("team: shop"),
            "\(explanation)")
        #expect(explanation.contains("options: true | false"))
        #expect(
            workplace.flagmenu("explain discount-banner --json \(source)").text.contains(
                #""note": "variant enabled, TARGETING_MATCH""#))
        #expect(workplace.flagmenu("status \(source)").text.contains("source     ofrep:\(server.url)/"))
        #expect(server.server.requests.first?.headers["User-Agent"]?.hasPrefix("flagmenu/") == true)
        #expect(server.server.requests.first?.json?["context"]?["targetingKey"]?.text == "flagmenu")
    }

    @Test(arguments: ["fetch", "list"])
    func `a rate limit applies to the next run, even without cached values`(
        command: String
    ) async throws {
        let server = try await server()
        server.server.respond { _ in .status(429, headers: [("Retry-After", "3600")]) }
        let source = "--source ofrep:\(server.url)"
        #expect(workplace.flagmenu("\(command) \(source)").status == 5)
        let count = server.server.requests.count
        let second = workplace.flagmenu("\(command) \(source)")
        #expect(second.status == 5 && second.errorText.contains("rate limited; retry in"), "\(second.errorText)")
        #expect(server.server.requests.count == count)
    }

    @Test func `if the cache cannot be written, no command claims that values were cached`() async throws {
        let server = try await server()
        project(server)
        #expect(workplace.flagmenu("fetch").status == 0 && workplace.flagmenu("doctor").status == 0)
        let cached = "'\(workplace.home)/.cache/flagmenu/shop'"
        #expect(workplace.shell("mv \(cached) \(workplace.home)/kept && touch \(cached)").status == 0)
        let first = workplace.flagmenu("fetch")
        #expect(first.errorText.contains("Fetched: 2 values were read, but not cached"), "\(first.errorText)")
        let json = workplace.flagmenu("fetch --json")
        #expect(json.text.contains("could not be cached") && [first.status, json.status] == [4, 4], "\(json.text)")
        let doctor = workplace.flagmenu("doctor")
        #expect(doctor.status == 4 && doctor.text.contains("!   cache       Not a directory"), "\(doctor.text)")
        #expect(doctor.text.contains("-> Give this user write access"), "\(doctor.text)")
        #expect(workplace.shell("rm \(cached) && mv \(workplace.home)/kept \(cached)").status == 0)
        #expect(workplace.flagmenu("doctor").status == 0)
    }

    @Test func `a first response without flags is valid`() async throws {
        let server = try await LoopbackOFREP([])
        let run = workplace.flagmenu("fetch --source ofrep:\(server.url)")
        #expect(run.errorText.contains("Fetched for the first time: 0 values are in use."), "\(run.errorText)")
    }

    @Test func `an error names the source, whatever setting is invalid`() async throws {
        let server = try await server()
        let url = "\(server.url)/some/path"
        for (source, environment, words) in [
            (
                "ofrep:\(url)", ["OFREP_TOKEN": "a\nb"],
                "ofrep:127.0.0.1:\(server.server.port): the variable OFREP_TOKEN must contain"
            ),
            ("firebase:shop", ["GOOGLE_APPLICATION_CREDENTIALS": "/nope"], "firebase:shop: /nope: no such file."),
            ("ofrep:flags.example.com", [:], "ofrep:flags.example.com: not a valid URL of an OFREP server"),
        ] as [(String, [String: String?], String)] {
            let (list, doctor) = (
                workplace.flagmenu("list --source \(source)", environment: environment),
                workplace.flagmenu("doctor --source \(source)", environment: environment)
            )
            #expect(list.status == 2 && list.errorText.contains("flagmenu: \(words)"), "\(list.errorText)")
            #expect(doctor.status == 2 && doctor.text.contains("source      \(words)"), "\(doctor.text)")
            let files = workplace.flagmenu(
                "fetch --source \(source) --source ofrep:\(server.url)", environment: environment)
            #expect(files.errorText.contains(words) && !files.errorText.contains("hush"), "\(files.errorText)")
        }
        #expect(server.server.requests.allSatisfy { !$0.path.contains("some") })
    }

    @Test func `activate before the first fetch suggests fetch`() async throws {
        let server = try await server()
        let run = workplace.flagmenu("activate --source ofrep:\(server.url)")
        #expect(
            run.status == 5 && run.errorText == "flagmenu: Nothing was fetched yet; flagmenu fetch fetches.\n",
            "\(run.errorText)")
    }

    @Test func `explain shows the value of each source`() async throws {
        let server = try await server()
        workplace.write(#"{"max-items": "7", "own": "1"}"#, to: "own.json")
        workplace.writeTrusted(#"{"app": "shop", "sources": ["own.json", "ofrep:\#(server.url)"]}"#)
        let text = workplace.flagmenu("explain max-items").text
        #expect(text.contains("> remote    7   from own.json, active, fetched just now\n"), "\(text)")
        #expect(
            text.contains("\n              ofrep:127.0.0.1:\(server.server.port)  42   fetched just now\n"), "\(text)")
        #expect(
            workplace.flagmenu("explain discount-banner").text.contains(
                "from ofrep:127.0.0.1:\(server.server.port), active"))
        let json = workplace.flagmenu("explain max-items --json").text
        #expect(
            json.contains(#""source": "\#(workplace.place("own.json"))""#)
                && json.contains(#""source": "ofrep:\#(server.url)/""#), "\(json)")
        await server.server.refuse()
        let fetch = workplace.flagmenu("fetch")
        #expect(
            fetch.status == 5 && fetch.errorText.contains("stay in use"),
            "the failed source keeps its values: \(fetch.errorText)")
        #expect(workplace.flagmenu("explain own").text.contains("from own.json, active, fetched just now"))
    }

    @Test func `fetched values wait for activation, and a second fetch sends the ETag`() async throws {
        let server = try await server()
        let source = "--source ofrep:\(server.url)"
        #expect(
            workplace.flagmenu("fetch \(source)").errorText.contains("Fetched for the first time: 2 values are in use.")
        )
        #expect(workplace.flagmenu("fetch \(source)").errorText.contains("nothing has changed"))
        #expect(server.server.requests.last?.headers["If-None-Match"] == server.etag)
        await server.set([.init("max-items", "7")])
        let fetched = workplace.flagmenu("fetch \(source)")
        #expect(
            fetched.status == 0 && fetched.errorText.contains("2 values differ. flagmenu activate"),
            "\(fetched.errorText)")
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        #expect(workplace.flagmenu("activate \(source)").status == 0)
        #expect(workplace.flagmenu("get max-items \(source)").text == "7\n")
        #expect(server.server.requests.count == 3)
    }

    @Test func `a context without cached values is saved immediately and fetched later`() async throws {
        let server = try await server()
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

    @Test func `a source that does not respond does not delay the others`() async throws {
        let (silent, server) = (try await server(), try await server())
        silent.server.inject(.hang, times: .max)
        workplace.writeTrusted(
            #"{"app": "shop", "sources": ["ofrep:\#(silent.url)", "ofrep:\#(server.url)"]}"#)
        let run = try RunStore(try workplace.settings())
        run.flags.openRemote()
        let remote = run.flags.remote
        func fetch(until condition: @Sendable () -> Bool) async throws {
            let id = remote.makeFetchID()
            let fetch = Task { await remote.fetch(.all, id: id) }
            while !condition() { try await Task.sleep(for: .milliseconds(1)) }
            remote.cancel(id)
            _ = await fetch.value
        }
        try await fetch { remote.current.hasValues }
        #expect(run.flags.remoteReading.snapshot.values["max-items"]?.string == "42")
        // In a later fetch too, a changed value waits for activation although the silent source hangs.
        await server.set([.init("discount-banner", "true"), .init("max-items", "7")])
        try await fetch { remote.current.hasUpdate }
        #expect(run.flags.remoteReading.waiting?.count == 1)
        #expect(remote.activate())
        #expect(run.flags.remoteReading.snapshot.values["max-items"]?.string == "7")
    }

    @Test func `an unreachable source is skipped by the next command if others have values`() async throws {
        let server = try await server()
        server.server.inject(.reset, times: .max)
        workplace.write(#"{"own": "1"}"#, to: "own.json")
        workplace.writeTrusted(#"{"app": "shop", "sources": ["ofrep:\#(server.url)", "own.json"]}"#)
        // Shell completion sends no request.
        #expect(workplace.flagmenu("---completion get -- positional@0 2 0 flagmenu get ow").text == "own\n")
        #expect(server.server.requests.isEmpty)
        let first = workplace.flagmenu("get own")
        #expect(first.text == "1\n" && first.errorText.contains("127.0.0.1"), "\(first.errorText)")
        let count = server.server.requests.count
        #expect(count > 0)
        let second = workplace.flagmenu("get own")
        #expect(second.text == "1\n" && second.errorText.contains("a fetch retries now"), "\(second.errorText)")
        #expect(server.server.requests.count == count)
        server.server.recover()
        #expect(workplace.flagmenu("fetch").status == 0)
        let last = workplace.flagmenu("get max-items")
        #expect(last.text == "42\n" && last.errorText.isEmpty, "\(last.errorText)")
    }

    @Test func `an error of live updates is not reported for another context`() async throws {
        let server = try await server()
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
        while reported.withLock({ !($0.last ?? "").contains("HTTP status 503") }) {
            try await Task.sleep(for: .milliseconds(1))
        }
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
        let server = try await server()
        let source = "--source ofrep:\(server.url)"
        let first = workplace.flagmenu("fetch \(source)")
        #expect(first.status == 0, "\(first.errorText)")
        switch fault {
        case "refused": await server.server.refuse()
        case "reset": server.server.inject(.reset, times: .max)
        case "malformed": server.server.inject(.json("{"), times: .max)
        default: server.server.inject(.status(Int(fault) ?? 500), times: .max)
        }
        let run = workplace.flagmenu("fetch \(source)")
        #expect(run.status == 5 && run.errorText.contains("127.0.0.1:\(server.server.port): "), "\(run.errorText)")
        #expect(run.errorText.contains("stay in use"), "\(run.errorText)")
        #expect(workplace.flagmenu("get max-items \(source)").text == "42\n")
        let doctor = workplace.flagmenu("doctor \(source)")
        #expect(doctor.status != 0 && doctor.text.contains("127.0.0.1"), "\(doctor.text)")
    }

    @Test func `without cached values a failed fetch exits with 5`() async throws {
        let server = try await server()
        await server.server.refuse()
        let run = workplace.flagmenu("list --source ofrep:\(server.url)")
        #expect(run.status == 5 && run.errorText.contains("refused the connection"), "\(run.errorText)")
    }

    @Test func `credentials come from variables and files and are never shown`() async throws {
        let server = try await server(token: "hush-token")
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
        let unset = run("get max-items")
        #expect(
            unset.status == 2 && unset.errorText.contains("the variable SHOP_TOKEN must contain the token"),
            "\(unset.errorText)")
        #expect(run("get max-items", ["SHOP_TOKEN": "hush-token"]).text == "42\n")
        #expect(server.server.requests.last?.json?["context"]?["email"]?.text == "ana@example.com")
        #expect(run("get max-items").text == "42\n", "cached values need no credentials")
        #expect(run("fetch").errorText.contains("SHOP_TOKEN"))
        workplace.write("hush-token\n", to: "secrets/token")
        project(server, #""tokenFile": "secrets/token""#)
        #expect(run("fetch").status == 0)
        for line in [
            "status --json", "doctor", "doctor --json", "status --files", "explain max-items --json", "export",
            "status --files --json",
        ] {
            _ = run(line, ["OFREP_TOKEN": "hush-token"])
        }
        #expect(run("fetch", ["OFREP_TOKEN": "hush-wrong"]).status == 0, "the project file does not use OFREP_TOKEN")
        project(server)
        #expect(run("fetch", ["OFREP_TOKEN": "hush-wrong"]).errorText.contains("(HTTP status 401)"))
        #expect(!output.contains("hush"), "\(output)")
        for folder in [workplace.home] {
            let leaks = workplace.shell("grep -rl -e hush -e streamsecret '\(folder)' || true")
            #expect(leaks.text.isEmpty, "saved on disk: \(leaks.text)")
        }
    }

    @Test func `values cached with a key are leaks without it, and fetch reports the missing key`() async throws {
        let server = try await server()
        project(server, #""keyVariable": "SHOP_KEY""#)
        #expect(workplace.flagmenu("get max-items", environment: ["SHOP_KEY": "hush-key"]).text == "42\n")
        #expect(workplace.flagmenu("get max-items").text == "42\n")
        let fetch = workplace.flagmenu("fetch")
        #expect(
            fetch.status == 2 && fetch.errorText.contains("the variable SHOP_KEY")
                && fetch.errorText.contains("stay in use"),
            "\(fetch.errorText)")
        #expect(server.server.requests.count == 1)
    }

    @Test func `the URL comes from OFREP_ENDPOINT if the source has none`() async throws {
        let server = try await server()
        let endpoint = ["OFREP_ENDPOINT": server.url]
        #expect(workplace.flagmenu("get max-items --source ofrep:", environment: endpoint).text == "42\n")
        let fetch = workplace.flagmenu("fetch --source ofrep:", environment: endpoint)
        #expect(fetch.status == 0 && server.server.requests.count == 2, "\(fetch.errorText)")
        #expect(server.server.requests.allSatisfy { $0.path == "/ofrep/v1/evaluate/flags" })
        let other = try await LoopbackOFREP([.init("max-items", "7")])
        let named = workplace.flagmenu("get max-items --source ofrep:\(other.url)", environment: endpoint)
        #expect(named.text == "7\n" && server.server.requests.count == 2, "\(named.errorText)")
        let none = workplace.flagmenu("get max-items --source ofrep:", environment: ["OFREP_ENDPOINT": ""])
        #expect(none.status == 2 && none.errorText.contains("or set OFREP_ENDPOINT to it"), "\(none.errorText)")
    }

    @Test func `OFREP_TIMEOUT_MS sets the timeout, and an invalid value is reported`() async throws {
        let server = try await server()
        let source = "--source ofrep:\(server.url)"
        let generous = workplace.flagmenu("get max-items \(source)", environment: ["OFREP_TIMEOUT_MS": "30000"])
        #expect(generous.text == "42\n", "\(generous.errorText)")
        server.server.inject(.hang, times: .max)
        for line in ["fetch \(source)", "doctor \(source)"] {
            let run = workplace.flagmenu(line, environment: ["OFREP_TIMEOUT_MS": "300"])
            #expect(
                run.status == 5 && (run.text + run.errorText).contains("within 300 ms"), "\(run.text)\(run.errorText)")
        }
        server.server.recover()
        for value in ["soon", "0", "-300", "1.5"] {
            let bad = workplace.flagmenu("fetch \(source)", environment: ["OFREP_TIMEOUT_MS": value])
            #expect(
                bad.status == 2 && bad.errorText.contains("OFREP_TIMEOUT_MS must be a whole number of milliseconds")
                    && bad.errorText.contains("\"\(value)\"") && bad.errorText.contains("stay in use"),
                "\(bad.errorText)")
        }
        let cached = workplace.flagmenu("get max-items \(source)", environment: ["OFREP_TIMEOUT_MS": "soon"])
        #expect(cached.text == "42\n", "\(cached.errorText)")
    }

    @Test(arguments: [
        (#""token": "hush""#, "tokenVariable"), (#""tokenVariabel": "X""#, "Did you mean"),
        (#""pollSeconds": 0"#, "at least 1"),
        (#""context": []"#, "an object"), (#""changes": "often""#, "one of events"),
    ])
    func `an invalid setting of a source is reported with its position`(members: String, words: String) async throws {
        workplace.writeTrusted(#"{"source": {"source": "ofrep:https://flags.example.com", \#(members)}}"#)
        let run = workplace.flagmenu("list")
        #expect(
            run.status == 2 && run.errorText.contains(words) && run.errorText.contains("line 1, column"),
            "\(run.errorText)")
        #expect(!run.errorText.contains("hush"))
    }

    @Test func `of several sources the first one with a value wins`() async throws {
        let server = try await server()
        workplace.write(#"{"max-items": 1, "own": "x"}"#, to: "own.json")
        let sources = "--source own.json --source ofrep:\(server.url)"
        #expect(workplace.flagmenu("get max-items \(sources)").text == "1\n")
        #expect(workplace.flagmenu("get discount-banner \(sources)").text == "true\n")
        #expect(workplace.flagmenu("get max-items --source ofrep:\(server.url) --source own.json").text == "42\n")
    }

    @Test func `a duplicate source is read once and reported`() async throws {
        let server = try await server(token: "hush-one")
        func project(_ context: String) {
            let entries = [("ONE", ""), ("TWO", context)].map { name, context in
                #"{"source": "ofrep:\#(server.url)", "tokenVariable": "\#(name)"\#(context)}"#
            }
            workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.joined(separator: ", "))]}"#)
        }
        let environment: [String: String?] = ["ONE": "hush-one", "TWO": "hush-two"]
        project("")
        let run = workplace.flagmenu("get max-items", environment: environment)
        #expect(run.text == "42\n", "\(run.errorText)")
        #expect(server.server.requests.map { $0.headers["Authorization"] } == ["Bearer hush-one"])
        let doctor = workplace.flagmenu("doctor", environment: environment)
        #expect(
            doctor.status != 0 && doctor.text.contains("duplicate of ofrep:\(server.url)"),
            "\(doctor.text)")
        project(#", "context": {"country": "FR"}"#)
        #expect(
            workplace.flagmenu("doctor", environment: environment).text.contains("HTTP status 401"),
            "a source with another context is not a duplicate")
    }

    @Test func `doctor shows how services are reached and warns about unverified certificates`() async throws {
        let server = try await server()
        let run = workplace.flagmenu("doctor --source ofrep:\(server.url)")
        #expect(
            run.status == 0 && run.text.contains("certificates are verified, no proxy"), "\(run.text)\(run.errorText)")
        let unsafe = workplace.flagmenu(
            "doctor --source ofrep:\(server.url)", environment: ["FLAGMENU_INSECURE_TLS": "1"])
        #expect(unsafe.text.contains("FLAGMENU_INSECURE_TLS=1"), "\(unsafe.text)")
        #expect(server.server.requests.count == 2)
    }
}
#endif
