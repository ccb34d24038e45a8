#if Network
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// Publishing overrides as values of a Firebase template.
@Suite(.limitedParallelism) struct PublishCommandTests {
    private let workplace = Workplace()
    private static let token: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
    private static let template = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}], "unknown": [1.50],
         "parameters": {
           "menu": {"defaultValue": {"value": "plain"}, "conditionalValues": {"ios": {"value": "round"}}},
           "limit": {"defaultValue": {"value": "3"}, "valueType": "NUMBER"}}}
        """

    private func server(_ template: String = template) async throws -> LoopbackFirebase {
        let server = try await LoopbackFirebase(template: template, token: "hush-token")
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(server.url)"}}"#)
        #expect(run("set menu square --any").status == 0)
        return server
    }

    private func run(_ line: String) -> CommandRun { workplace.flagmenu(line, environment: Self.token) }

    private func runOnTerminal(_ line: String, _ reply: String) -> CommandRun {
        workplace.flagmenu(
            line.split(separator: " ").map(String.init), input: reply, environment: Self.token, isOnTerminal: true)
    }

    @Test func `publish makes an override the default value and changes nothing else`() async throws {
        let server = try await server()
        let run = run("firebase publish menu --yes --description tried")
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.errorText.contains("menu: plain -> square (default value)"), "\(run.errorText)")
        #expect(run.errorText.contains("its value stays: ios"), "\(run.errorText)")
        #expect(run.errorText.contains("Published as version 2. flagmenu firebase publish --rollback 1 undoes it."))
        #expect(server.versionNumber() == 2)
        let text = try #require(server.template())
        #expect(text.contains("square") && text.contains("round") && text.contains("1.50"), "\(text)")
        #expect(self.run("get menu").text == "square\n", "the override stays")
        #expect(self.run("firebase publish menu --yes").errorText.contains("has these values already"))
        #expect(server.versionNumber() == 2)
        let versions = self.run("firebase versions").text
        #expect(versions.hasPrefix("2  ") && versions.contains("tried"), "\(versions)")
        // The next steps that the message suggests.
        #expect(run.errorText.contains("flagmenu fetch and flagmenu activate make it the remote value here too."))
        #expect(run.errorText.contains("Your overrides stay until flagmenu reset menu."), "\(run.errorText)")
        for command in ["fetch", "activate", "reset menu"] { #expect(self.run(command).status == 0) }
        #expect(self.run("get menu").text == "square\n" && self.run("list --overridden").text.isEmpty)
        let last = try JSONSerialization.jsonObject(
            with: Data(self.run("firebase versions --json --limit 1").text.utf8))
        #expect((last as? [[String: Any]])?.map { $0["version"] as? Int } == [2])
    }

    @Test func `publish sets several values under a condition`() async throws {
        let server = try await server()
        #expect(run("set limit 5 --any").status == 0)
        let run = run("firebase publish menu limit --condition ios --yes")
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.errorText.contains("menu: round -> square (condition ios)"), "\(run.errorText)")
        #expect(run.errorText.contains("limit: ") && run.errorText.contains("-> 5 (condition ios)"), "\(run.errorText)")
        #expect(try #require(server.template()).contains("plain"))
    }

    @Test(arguments: ["n\n", "\n", "yes, but\n"]) func `nothing is published without a yes`(response: String)
        async throws
    {
        let server = try await server()
        let run = runOnTerminal("firebase publish menu", response)
        #expect(run.status == 0, "\(run.text)")
        #expect(run.text.contains("Publish this for everybody? [y/N]") && run.text.contains("Nothing was published."))
        #expect(server.versionNumber() == 1)
        #expect(runOnTerminal("firebase publish --rollback 1", response).text.contains("Nothing was published."))
        #expect(server.versionNumber() == 1)
    }

    @Test func `yes at the prompt publishes, and without a terminal --yes is required`() async throws {
        let server = try await server()
        let unconfirmed = run("firebase publish menu")
        #expect(unconfirmed.status == 2 && unconfirmed.errorText.contains("--yes"), "\(unconfirmed.errorText)")
        #expect(server.versionNumber() == 1)
        #expect(runOnTerminal("firebase publish menu", "y\n").status == 0)
        #expect(server.versionNumber() == 2)
        let rollback = runOnTerminal("firebase publish --rollback 1", "yes\n")
        #expect(rollback.text.contains("Published as version 3."), "\(rollback.text)")
        #expect(try #require(server.template()).contains("plain"))
        #expect(run("firebase versions").text.contains("Restores version 1"))
    }

    @Test func `a dry run validates the template and publishes nothing`() async throws {
        let server = try await server()
        let run = run("firebase publish menu --dry-run --json")
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.text.contains(#""new": "square""#), "\(run.text)")
        #expect(server.versionNumber() == 1)
        #expect(server.server.requests.contains { $0.query?.contains("validateOnly=true") ?? false })
    }

    @Test func `interrupting a publish request reports that the result is unknown`() async throws {
        let server = try await server()
        server.server.respond { [server] request in
            let isPublishRequest = request.method == "PUT" && !(request.query?.contains("validateOnly") ?? false)
            return isPublishRequest ? .hang : await server.reply(to: request)
        }
        let streams = [
            open("/dev/null", O_RDONLY), creat(workplace.place("lines"), 0o600), creat(workplace.place("words"), 0o600),
        ]
        let process = try #require(
            ChildProcess(
                [Workplace.flagmenu, "firebase", "publish", "menu", "--yes"], workplace.changed(Self.token),
                directory: workplace.path, streams: streams))
        streams.forEach { close($0) }
        let isSent = Clock.wait { server.server.requests.count { $0.method == "PUT" } == 2 }
        kill(process.id, SIGINT)
        #expect(process.end(before: Clock.seconds() + 10) == 130)
        let words = workplace.read("words") ?? ""
        #expect(
            isSent && words.contains("It may have been published; flagmenu firebase versions shows it."), "\(words)")
    }

    @Test func `a version that somebody else publishes in the meantime is not overwritten`() async throws {
        let server = try await server()
        // Between the check and the publish request: the response is that of a newer template.
        let stale = LoopbackFirebase.failure(409, "ABORTED", "somebody else")
        server.server.respond { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) { return stale }
            return await server.reply(to: request)
        }
        let run = run("firebase publish menu --yes")
        #expect(run.status == 5, "\(run.errorText)")
        #expect(
            run.errorText.contains("in the meantime") && run.errorText.contains("Nothing was published."),
            "\(run.errorText)")
        #expect(server.versionNumber() == 1)
    }

    @Test(arguments: [
        ("firebase publish limit --yes", 1, "is not overridden"), ("firebase publish nowhere --yes", 1, "nowhere"),
        ("firebase publish menu --condition android --yes", 1, "no condition"),
        ("firebase publish --yes", 2, "Name keys"),
        ("firebase publish menu --read-only --yes", 4, "Read-only"),
        ("firebase publish --rollback 9 --yes", 5, "has no version 9"),
        ("firebase publish --rollback 0 --yes", 2, "at least 1"),
        ("firebase publish --rollback 1 --condition ios", 2, "whole template"),
        ("firebase publish --rollback 1 --yes", 0, "has these values already"),
    ])
    func `an invalid publish command is an error`(line: String, status: Int32, words: String) async throws {
        let server = try await server()
        let run = run(line)
        #expect(run.status == status && run.errorText.contains(words), "\(run.status): \(run.errorText)")
        #expect(server.versionNumber() == 1 && !run.errorText.contains("hush"))
    }

    private static let rollout = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {"menu": {
           "defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "round", "percent": 10}},
           "conditionalValues": {"ios": {"personalizationValue": {"personalizationId": "p"}}}}}}
        """

    @Test func `publishing over a rollout requires --replace`() async throws {
        let server = try await server(Self.rollout)
        let refused = run("firebase publish menu --yes")
        #expect(refused.status == 2, "\(refused.errorText)")
        #expect(
            refused.errorText.contains("menu: a rollout of round to 10 % -> square (default value)"),
            "\(refused.errorText)")
        #expect(refused.errorText.contains("its value stays: ios (personalization)"), "\(refused.errorText)")
        #expect(refused.errorText.contains("--replace") && refused.errorText.contains("Nothing was published."))
        let conditional = run("firebase publish menu --condition ios --yes")
        #expect(conditional.status == 2 && conditional.errorText.contains("a personalization (condition ios)"))
        let planned = run("firebase publish menu --dry-run --json")
        #expect(planned.status == 2 && planned.text.contains(#""oldForm": "rollout""#), "\(planned.text)")
        #expect(run("firebase publish menu --dry-run --replace").status == 0)
        #expect(server.versionNumber() == 1)
        #expect(run("firebase publish menu --yes --replace").status == 0)
        #expect(server.versionNumber() == 2 && server.template()?.contains("square") == true)
        #expect(server.template()?.contains("personalizationId") == true)
        // Restoring a rollout is reported, and ending it again requires the same option.
        let rollback = run("firebase publish --rollback 1 --yes")
        #expect(
            rollback.status == 0 && rollback.errorText.contains("menu: square -> a rollout of round to 10 %"),
            "\(rollback.errorText)")
        #expect(run("firebase publish --rollback 2 --yes").status == 2)
        #expect(server.versionNumber() == 3)
    }

    @Test func `a rollback shows and checks its changes and does not overwrite a newer version`() async throws {
        let server = try await server()
        server.publish(
            Self.template.replacing("plain", with: "later").replacing("'ios'", with: "'ipados'")
                .replacing("\"unknown\": [1.50],", with: ""))
        let planned = run("firebase publish --rollback 1 --dry-run")
        #expect(planned.status == 0 && server.versionNumber() == 2, "\(planned.errorText)")
        for words in [
            "menu: later -> plain (default value)", "condition ios: device.os == 'ipados' -> device.os == 'ios'",
            "unknown: other parts of it", "Firebase would accept it.",
        ] { #expect(planned.errorText.contains(words), "\(words): \(planned.errorText)") }
        // Somebody else publishes after each check.
        server.server.respond { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) {
                server.publish(Self.template.replacing("plain", with: "theirs"))
            }
            return await server.reply(to: request)
        }
        let stale = run("firebase publish --rollback 1 --yes")
        #expect(stale.status == 5 && stale.errorText.contains("in the meantime"), "\(stale.errorText)")
        #expect(server.template()?.contains("theirs") == true && server.versionNumber() == 3)
        server.server.respond { [server] in await server.reply(to: $0) }
        let rollback = run("firebase publish --rollback 1 --yes --json")
        #expect(
            rollback.status == 0 && rollback.text.contains(#""version": 4"#), "\(rollback.text)\(rollback.errorText)")
        #expect(
            rollback.text.contains(#""old": "theirs""#) && rollback.text.contains(#""new": "plain""#),
            "\(rollback.text)")
        #expect(server.template()?.contains("1.50") == true)
        #expect(run("firebase versions --limit 1").text.contains("Restores version 1"))
        #expect(!server.server.requests.contains { $0.path.hasSuffix(":rollback") })
    }

    @Test(arguments: ["firebase publish menu --yes", "firebase publish menu", "firebase publish --rollback 1 --yes"])
    func `publishing stops after a conflict`(line: String) async throws {
        let server = try await server()
        server.publish(Self.template.replacing("plain", with: "later"))
        let stale = LoopbackFirebase.failure(412, "FAILED_PRECONDITION", "somebody else")
        server.server.respond { [server] request in
            request.method == "PUT" ? stale : await server.reply(to: request)
        }
        let run = line.contains("--yes") ? run(line) : runOnTerminal(line, "y\n")
        #expect(
            run.status == 5 && (run.errorText + run.text).contains("in the meantime"), "\(run.errorText)\(run.text)")
        #expect(server.server.requests.count { $0.method == "PUT" } == 1)
        #expect(server.versionNumber() == 2)
    }

    @Test func `--json prints what was published`() async throws {
        let server = try await server()
        func json(_ line: String) throws -> [String: Any] {
            let run = run(line)
            #expect(run.status == 0, "\(line): \(run.errorText)")
            return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        }
        let published = try json("firebase publish menu --yes --json")
        #expect(published["version"] as? Int == 2)
        let changes = try #require(published["published"] as? [[String: Any]])
        #expect(
            changes.count == 1 && changes[0]["old"] as? String == "plain" && changes[0]["new"] as? String == "square")
        #expect(changes[0]["kind"] as? String == "value" && changes[0]["oldForm"] is NSNull)
        #expect((try json("firebase publish menu --dry-run --json")["planned"] as? [Any])?.isEmpty == true)
        let unchanged = try json("firebase publish menu --yes --json")
        #expect((unchanged["published"] as? [Any])?.isEmpty == true && unchanged["version"] is NSNull)
        #expect(server.versionNumber() == 2)
    }

    @Test func `the changes are shown before the prompt, even with --quiet or --json`() async throws {
        let server = try await server()
        for options in ["--quiet", "--json", "--quiet --json"] {
            let run = runOnTerminal("firebase publish menu \(options)", "n\n")
            #expect(run.text.contains("menu: plain -> square (default value)"), "\(options): \(run.text)")
        }
        #expect(
            runOnTerminal("firebase publish --rollback 1 --quiet", "n\n").text.isEmpty,
            "no prompt, because the rollback changes no values")
        #expect(server.versionNumber() == 1)
    }

    @Test(arguments: ["0", "-1", "301"]) func `versions accepts a limit from 1 to 300`(count: String) async throws {
        let server = try await server()
        server.server.forgetRequests()
        let refused = run("firebase versions --limit=\(count)")
        #expect(refused.status == 2 && refused.errorText.contains("from 1 to 300."), "\(refused.errorText)")
        #expect(server.server.requests.isEmpty)
        #expect(run("firebase versions --limit=300").status == 0)
    }

    @Test func `with several projects --source is required`() async throws {
        let server = try await server()
        let entry = #"{"source": "firebase:%", "url": "\#(server.url)"}"#
        let entries = ["shop", "other"].map { entry.replacing("%", with: $0) }
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.joined(separator: ", "))]}"#)
        for line in ["firebase publish menu --yes", "firebase versions"] {
            let run = run(line)
            #expect(run.status == 2 && run.errorText.contains("firebase:shop, firebase:other"), "\(run.errorText)")
        }
        #expect(run("firebase versions --source firebase:shop").status == 0)
        #expect(run("firebase publish menu --yes --source firebase:shop").status == 0)
        #expect(server.versionNumber() == 2)
    }

    @Test func `with several sources of one project --source selects one`() async throws {
        let server = try await server()
        func entry(_ members: String) -> String {
            #"{"source": "firebase:shop", "url": "\#(server.url)"\#(members)}"#
        }
        let entries = (entry(#", "namespace": "server""#), entry(#", "version": 1"#))
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.0), \#(entries.1)]}"#)
        let names = "'firebase:shop (server)', 'firebase:shop (version 1)'"
        for line in ["firebase versions", "firebase versions --source firebase:shop"] {
            let run = run(line)
            #expect(run.status == 2 && run.errorText.contains(names), "\(run.errorText)")
        }
        let run = workplace.flagmenu(
            ["firebase", "publish", "menu", "--yes", "--source", "firebase:shop (version 1)"], environment: Self.token)
        #expect(run.status == 0 && server.versionNumber() == 2, "\(run.errorText)")
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.0), \#(entry(""))]}"#)
        #expect(self.run("firebase versions --source firebase:shop").status == 0)
    }

    @Test func `the project comes from the file of the app`() async throws {
        let server = try await server()
        let apps = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(apps.googleServicesFile, to: "app.json")
        func versions(_ name: String, project: String) -> CommandRun {
            workplace.writeTrusted(
                #"{"app": "shop", "source": {"source": "\#(name)", "appFile": "app.json", "url": "\#(server.url)"}}"#)
            return workplace.flagmenu(
                "firebase versions", environment: Self.token.merging(["GOOGLE_CLOUD_PROJECT": project]) { $1 })
        }
        let run = versions("firebase:", project: "other")
        #expect(run.status == 0 && run.text.hasPrefix("1  "), "\(run.errorText)")
        let wrong = versions("firebase:other", project: "shop")
        #expect(wrong.status == 5 && wrong.errorText.contains("belongs to the project"), "\(wrong.errorText)")
    }

    @Test func `each command warns once about an unverified service`() async throws {
        let server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"), "openssl could not create the certificate")
        let secure = try await LoopbackServer(certificate: (pair.certificate, pair.key)) { [server] in
            await server.reply(to: $0)
        }
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(secure.url)"}}"#)
        let environment = Self.token.merging(["FLAGMENU_INSECURE_TLS": "1"]) { $1 }
        func warnings(_ line: String) -> Int {
            let run = workplace.flagmenu(line, environment: environment)
            #expect(run.status == 0, "\(line): \(run.errorText)")
            return run.errorText.components(separatedBy: "is not verified").count - 1
        }
        // The first one opens the sources, which sends a request too.
        for line in [
            "set menu square --any", "fetch", "fetch --quiet", "firebase versions", "firebase publish menu --yes",
            "firebase publish --rollback 1 --yes --quiet",
        ] { #expect(warnings(line) == 1, "\(line)") }
        #expect(warnings("get menu") == 0, "get sends no request")
        let lost = workplace.flagmenu(
            "fetch", environment: environment.merging(["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]) { $1 })
        #expect(lost.status == 5 && lost.errorText.contains("is not verified"), "\(lost.errorText)")
    }

    @Test func `a failed list of versions does not mention publishing`() async throws {
        let server = try await server()
        server.server.inject(.status(403), times: .max)
        let run = run("firebase versions")
        #expect(run.status == 5 && !run.errorText.contains("published"), "\(run.errorText)")
    }

    @Test func `a lost response to a publish request is not reported as a failure`() async throws {
        let server = try await server()
        server.server.respond { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) { return .reset }
            return await server.reply(to: request)
        }
        let run = run("firebase publish menu --yes")
        #expect(run.status == 5 && run.errorText.contains("flagmenu firebase versions shows it"), "\(run.errorText)")
    }
}
#endif
