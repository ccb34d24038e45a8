#if Network
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

extension LoopbackFirebase {
    /// Sets the response to each request that publishes a template, after the request that only checks it.
    ///
    /// - Parameter reply: returns `nil` for the usual response.
    func respondToPublish(_ reply: @escaping @Sendable () -> LoopbackReply?) {
        server.respond { [weak self] request in
            let isPublishing = request.method == "PUT" && !(request.query?.contains("validateOnly") ?? false)
            if isPublishing, let reply = reply() { return reply }
            return await self?.reply(to: request) ?? .status(503)
        }
    }
}

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

    private let server: LoopbackFirebase

    init() async throws {
        server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        workplace.writeSource("firebase:shop", #""url": "\#(server.url)""#)
        #expect(run("set menu square --any").status == 0)
    }

    private func run(_ line: String) -> CommandRun { workplace.flagmenu(line, environment: Self.token) }

    private func runOnTerminal(_ line: String, _ reply: String) -> CommandRun {
        workplace.onTerminal(line, typing: [reply], environment: Self.token)
    }

    @Test func `publish makes an override the default value and changes nothing else`() throws {
        let run = run("firebase publish menu --yes --description tried").expect(
            0, errors: "menu: plain -> square (default value)", "its value stays: ios",
            "Published as version 2. flagmenu firebase publish --rollback 1 undoes it.")
        #expect(server.versionNumber() == 2)
        let text = try #require(server.template())
        #expect(text.contains("square") && text.contains("round") && text.contains("1.50"), "\(text)")
        #expect(self.run("get menu").text == "square\n", "the override stays")
        #expect(self.run("firebase publish menu --yes").errorText.contains("has these values already"))
        #expect(server.versionNumber() == 2)
        let versions = self.run("firebase versions").expect(text: "tried").text
        #expect(versions.hasPrefix("2  "), "\(versions)")
        // The next steps that the message suggests.
        #expect(run.errorText.contains("flagmenu fetch and flagmenu activate make it the remote value here too."))
        #expect(run.errorText.contains("Your overrides stay until flagmenu reset menu."), "\(run.errorText)")
        for command in ["fetch", "activate", "reset menu"] { #expect(self.run(command).status == 0) }
        #expect(self.run("get menu").text == "square\n" && self.run("list --overridden").text.isEmpty)
        let last = try JSONSerialization.jsonObject(
            with: Data(self.run("firebase versions --json --limit 1").text.utf8))
        #expect((last as? [[String: Any]])?.map { $0["version"] as? Int } == [2])
    }

    @Test func `publish sets several values under a condition`() throws {
        #expect(run("set limit 5 --any").status == 0)
        run("firebase publish menu limit --condition ios --yes").expect(
            0, errors: "menu: round -> square (condition ios)", "limit: ", "-> 5 (condition ios)")
        #expect(try #require(server.template()).contains("plain"))
    }

    @Test(arguments: ["n", "", "yes, but"])
    func `nothing is published without a yes`(response: String) {
        runOnTerminal("firebase publish menu", response).expect(
            0, text: "Publish this for everybody? [y/N]", "Nothing was published.")
        #expect(server.versionNumber() == 1)
        #expect(runOnTerminal("firebase publish --rollback 1", response).text.contains("Nothing was published."))
        #expect(server.versionNumber() == 1)
    }

    @Test func `yes at the prompt publishes, and without a terminal --yes is required`() throws {
        run("firebase publish menu").expect(2, errors: "--yes")
        #expect(server.versionNumber() == 1)
        #expect(runOnTerminal("firebase publish menu", "y").status == 0)
        #expect(server.versionNumber() == 2)
        runOnTerminal("firebase publish --rollback 1", "yes").expect(text: "Published as version 3.")
        #expect(try #require(server.template()).contains("plain"))
        #expect(run("firebase versions").text.contains("Restores version 1"))
    }

    @Test func `a dry run validates the template and publishes nothing`() {
        run("firebase publish menu --dry-run --json").expect(0, text: #""new": "square""#)
        #expect(server.versionNumber() == 1)
        #expect(server.server.requests.contains { $0.query?.contains("validateOnly=true") ?? false })
    }

    @Test func `a publish request that may be interrupted names the command that shows the result`() throws {
        server.respondToPublish { .hang }
        let process = try workplace.start(["firebase", "publish", "menu", "--yes"], environment: Self.token)
        let isSent = Clock.wait { server.server.requests.count { $0.method == "PUT" } == 2 }
        kill(process.id, SIGINT)
        #expect(process.end(before: Clock.seconds() + 10) == 130)
        let words = workplace.read("words") ?? ""
        #expect(isSent && words.contains("flagmenu firebase versions shows the result."), "\(words)")
    }

    @Test func `a version that somebody else publishes in the meantime is not overwritten`() {
        // Between the check and the publish request: the response is that of a newer template.
        let stale = LoopbackFirebase.failure(409, "ABORTED", "somebody else")
        server.respondToPublish { stale }
        run("firebase publish menu --yes").expect(5, errors: "in the meantime", "Nothing was published.")
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
    func `an invalid publish command is an error`(line: String, status: Int32, words: String) {
        run(line).expect(status, errors: words, without: "hush")
        #expect(server.versionNumber() == 1)
    }

    private static let rollout = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {"menu": {
           "defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "round", "percent": 10}},
           "conditionalValues": {"ios": {"personalizationValue": {"personalizationId": "p"}}}}}}
        """

    @Test func `publishing over a rollout requires --replace`() {
        server.publish(Self.rollout)
        run("firebase publish menu --yes").expect(
            2, errors: "menu: a rollout of round to 10 % -> square (default value)",
            "its value stays: ios (personalization)", "--replace", "Nothing was published.")
        run("firebase publish menu --condition ios --yes").expect(2, errors: "a personalization (condition ios)")
        run("firebase publish menu --dry-run --json").expect(2, text: #""oldForm": "rollout""#)
        #expect(run("firebase publish menu --dry-run --replace").status == 0)
        #expect(server.versionNumber() == 2)
        #expect(run("firebase publish menu --yes --replace").status == 0)
        #expect(server.versionNumber() == 3 && server.template()?.contains("square") == true)
        #expect(server.template()?.contains("personalizationId") == true)
        // Restoring a rollout is reported, and ending it again requires the same option.
        run("firebase publish --rollback 2 --yes").expect(0, errors: "menu: square -> a rollout of round to 10 %")
        #expect(run("firebase publish --rollback 3 --yes").status == 2)
        #expect(server.versionNumber() == 4)
    }

    @Test func `a rollback shows and checks its changes and does not overwrite a newer version`() {
        server.publish(
            Self.template.replacing("plain", with: "later").replacing("'ios'", with: "'ipados'")
                .replacing("\"unknown\": [1.50],", with: ""))
        run("firebase publish --rollback 1 --dry-run").expect(
            0, errors: "menu: later -> plain (default value)",
            "condition ios: device.os == 'ipados' -> device.os == 'ios'", "unknown: other parts of it",
            "Firebase would accept it.")
        #expect(server.versionNumber() == 2)
        // Somebody else publishes after each check.
        server.respondToPublish { [server = server] in
            server.publish(Self.template.replacing("plain", with: "theirs"))
            return nil
        }
        run("firebase publish --rollback 1 --yes").expect(5, errors: "in the meantime")
        #expect(server.template()?.contains("theirs") == true && server.versionNumber() == 3)
        server.respondToPublish { nil }
        run("firebase publish --rollback 1 --yes --json").expect(
            0, text: #""version": 4"#, #""old": "theirs""#, #""new": "plain""#)
        #expect(server.template()?.contains("1.50") == true)
        #expect(run("firebase versions --limit 1").text.contains("Restores version 1"))
        #expect(!server.server.requests.contains { $0.path.hasSuffix(":rollback") })
    }

    @Test(arguments: ["firebase publish menu --yes", "firebase publish menu", "firebase publish --rollback 1 --yes"])
    func `publishing stops after a conflict`(line: String) async throws {
        server.publish(Self.template.replacing("plain", with: "later"))
        let stale = LoopbackFirebase.failure(412, "FAILED_PRECONDITION", "somebody else")
        server.server.respond { [server = server] request in
            request.method == "PUT" ? stale : await server.reply(to: request)
        }
        let run = line.contains("--yes") ? run(line) : runOnTerminal(line, "y")
        run.expect(5, anywhere: "in the meantime")
        #expect(server.server.requests.count { $0.method == "PUT" } == 1)
        #expect(server.versionNumber() == 2)
    }

    @Test func `--json prints what was published`() throws {
        func json(_ line: String) throws -> [String: Any] {
            let run = run(line).expect(0, comment: line)
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

    @Test func `the changes are shown before the prompt, even with --quiet or --json`() {
        for options in ["--quiet", "--json", "--quiet --json"] {
            runOnTerminal("firebase publish menu \(options)", "n").expect(
                text: "menu: plain -> square (default value)", comment: options)
        }
        runOnTerminal("firebase publish --rollback 1 --quiet", "n").expect(
            exactly: "", comment: "no prompt, because the rollback changes no values")
        #expect(server.versionNumber() == 1)
    }

    @Test(arguments: ["0", "-1", "301"]) func `versions accepts a limit from 1 to 300`(count: String) {
        server.server.forgetRequests()
        run("firebase versions --limit=\(count)").expect(2, errors: "from 1 to 300.")
        #expect(server.server.requests.isEmpty)
        #expect(run("firebase versions --limit=300").status == 0)
    }

    @Test func `with several projects --source is required`() {
        workplace.writeSources(["shop", "other"].map { #"{"source": "firebase:\#($0)", "url": "\#(server.url)"}"# })
        for line in ["firebase publish menu --yes", "firebase versions"] {
            run(line).expect(2, errors: "firebase:shop, firebase:other")
        }
        #expect(run("firebase versions --source firebase:shop").status == 0)
        #expect(run("firebase publish menu --yes --source firebase:shop").status == 0)
        #expect(server.versionNumber() == 2)
    }

    @Test func `with several sources of one project --source selects one`() {
        func entry(_ members: String) -> String {
            #"{"source": "firebase:shop", "url": "\#(server.url)"\#(members)}"#
        }
        let entries = (entry(#", "namespace": "server""#), entry(#", "version": 1"#))
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.0), \#(entries.1)]}"#)
        let names = "'firebase:shop (server)', 'firebase:shop (version 1)'"
        for line in ["firebase versions", "firebase versions --source firebase:shop"] {
            run(line).expect(2, errors: names)
        }
        let run = workplace.flagmenu(
            ["firebase", "publish", "menu", "--yes", "--source", "firebase:shop (version 1)"], environment: Self.token
        ).expect(0)
        #expect(server.versionNumber() == 2, "\(run.errorText)")
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.0), \#(entry(""))]}"#)
        #expect(self.run("firebase versions --source firebase:shop").status == 0)
    }

    @Test func `the project comes from the file of the app`() async throws {
        let apps = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(apps.googleServicesFile, to: "app.json")
        func versions(_ name: String, project: String) -> CommandRun {
            workplace.writeSource(name, #""appFile": "app.json", "url": "\#(server.url)""#)
            return workplace.flagmenu(
                "firebase versions", environment: Self.token.merging(["GOOGLE_CLOUD_PROJECT": project]) { $1 })
        }
        let run = versions("firebase:", project: "other").expect(0)
        #expect(run.text.hasPrefix("1  "), "\(run.errorText)")
        versions("firebase:other", project: "shop").expect(5, errors: "belongs to the project")
    }

    @Test func `each command warns once about an unverified service`() async throws {
        // Nothing was read from this service yet.
        let workplace = Workplace()
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"), "openssl could not create the certificate")
        let secure = try await LoopbackServer(certificate: (pair.certificate, pair.key)) { [server = server] in
            await server.reply(to: $0)
        }
        workplace.writeSource("firebase:shop", #""url": "\#(secure.url)""#)
        let environment = Self.token.merging(["FLAGMENU_INSECURE_TLS": "1"]) { $1 }
        func warnings(_ line: String) -> Int {
            let run = workplace.flagmenu(line, environment: environment).expect(0, comment: line)
            return run.errorText.components(separatedBy: "is not verified").count - 1
        }
        // The first one opens the sources, which sends a request too.
        for line in [
            "set menu square --any", "fetch", "fetch --quiet", "firebase versions", "firebase publish menu --yes",
            "firebase publish --rollback 1 --yes --quiet",
        ] { #expect(warnings(line) == 1, "\(line)") }
        #expect(warnings("get menu") == 0, "get sends no request")
        workplace.flagmenu(
            "fetch", environment: environment.merging(["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]) { $1 }
        ).expect(5, errors: "is not verified")
    }

    @Test func `a failed list of versions does not mention publishing`() {
        server.server.inject(.status(403), times: .max)
        run("firebase versions").expect(5, without: "published")
    }

    @Test func `a lost response to a publish request is not reported as a failure`() {
        server.respondToPublish { .reset }
        run("firebase publish menu --yes").expect(5, errors: "flagmenu firebase versions shows it")
    }
}
#endif
