import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// Overrides that become values of a Firebase template.
@Suite(.fewAtOnce) struct PublishCommandTests {
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

    private func ask(_ line: String, _ answer: String) -> CommandRun {
        workplace.flagmenu(
            line.split(separator: " ").map(String.init), input: answer, environment: Self.token, isOnTerminal: true)
    }

    @Test func `an override becomes the default value, for everybody, with all else as it was`() async throws {
        let server = try await server()
        let run = run("publish menu --yes --description tried")
        #expect(run.status == 0, "\(run.words)")
        #expect(run.words.contains("menu: plain -> square (default value)"), "\(run.words)")
        #expect(run.words.contains("its value stays: ios"), "\(run.words)")
        #expect(run.words.contains("Published as version 2. flagmenu publish --rollback 1 undoes it."))
        #expect(server.versionNumber() == 2)
        let text = try #require(server.template())
        #expect(text.contains("square") && text.contains("round") && text.contains("1.50"), "\(text)")
        #expect(self.run("get menu").text == "square\n", "the override stays")
        #expect(self.run("publish menu --yes").words.contains("has these values already"))
        #expect(server.versionNumber() == 2)
        let versions = self.run("versions").text
        #expect(versions.hasPrefix("2  ") && versions.contains("tried"), "\(versions)")
        // What the sentence says is left to do.
        #expect(run.words.contains("flagmenu fetch and flagmenu activate make it the remote value here too; then"))
        #expect(run.words.contains("flagmenu reset menu removes your overrides"), "\(run.words)")
        for command in ["fetch", "activate", "reset menu"] { #expect(self.run(command).status == 0) }
        #expect(self.run("get menu").text == "square\n" && self.run("list --overridden").text.isEmpty)
        let last = try JSONSerialization.jsonObject(with: Data(self.run("versions --json --limit 1").text.utf8))
        #expect((last as? [[String: Any]])?.map { $0["version"] as? Int } == [2])
    }

    @Test func `under a condition, and several at once`() async throws {
        let server = try await server()
        #expect(run("set limit 5 --any").status == 0)
        let run = run("publish menu limit --condition ios --yes")
        #expect(run.status == 0, "\(run.words)")
        #expect(run.words.contains("menu: round -> square (condition ios)"), "\(run.words)")
        #expect(run.words.contains("limit: ") && run.words.contains("-> 5 (condition ios)"), "\(run.words)")
        #expect(try #require(server.template()).contains("plain"))
    }

    @Test(arguments: ["n\n", "\n", "yes, but\n"]) func `nothing is published unless somebody says yes`(answer: String)
        async throws
    {
        let server = try await server()
        let run = ask("publish menu", answer)
        #expect(run.status == 0, "\(run.text)")
        #expect(run.text.contains("Publish this for everybody? [y/N]") && run.text.contains("Nothing was published."))
        #expect(server.versionNumber() == 1)
        #expect(ask("publish --rollback 1", answer).text.contains("Nothing was published."))
        #expect(server.versionNumber() == 1)
    }

    @Test func `yes at the question publishes; without a terminal nobody can be asked`() async throws {
        let server = try await server()
        let silent = run("publish menu")
        #expect(silent.status == 2 && silent.words.contains("--yes"), "\(silent.words)")
        #expect(server.versionNumber() == 1)
        #expect(ask("publish menu", "y\n").status == 0)
        #expect(server.versionNumber() == 2)
        let back = ask("publish --rollback 1", "yes\n")
        #expect(back.text.contains("Published as version 3."), "\(back.text)")
        #expect(try #require(server.template()).contains("plain"))
        #expect(run("versions").text.contains("Restores version 1"))
    }

    @Test func `a dry run has it checked and publishes nothing`() async throws {
        let server = try await server()
        let run = run("publish menu --dry-run --json")
        #expect(run.status == 0, "\(run.words)")
        #expect(run.text.contains(#""new": "square""#), "\(run.text)")
        #expect(server.versionNumber() == 1)
        #expect(server.server.requests.contains { $0.query?.contains("validateOnly=true") ?? false })
    }

    @Test func `who interrupts the order is told that nobody knows how it ended`() async throws {
        let server = try await server()
        server.server.answer { [server] request in
            let isOrder = request.method == "PUT" && !(request.query?.contains("validateOnly") ?? false)
            return isOrder ? .hang : await server.reply(to: request)
        }
        let streams = [
            open("/dev/null", O_RDONLY), creat(workplace.place("lines"), 0o600), creat(workplace.place("words"), 0o600),
        ]
        let process = try #require(
            ChildProcess(
                [Workplace.flagmenu, "publish", "menu", "--yes"], workplace.changed(Self.token),
                directory: workplace.path, streams: streams))
        streams.forEach { close($0) }
        let isSent = Clock.wait { server.server.requests.count { $0.method == "PUT" } == 2 }
        kill(process.id, SIGINT)
        #expect(process.end(before: Clock.seconds() + 10) == 130)
        let words = workplace.read("words") ?? ""
        #expect(isSent && words.contains("It may have been published; flagmenu versions shows it."), "\(words)")
    }

    @Test func `what somebody else has published in the meantime is not overwritten`() async throws {
        let server = try await server()
        // Between the check and the order: the order's answer is that of a template that is newer by then.
        let stale = LoopbackFirebase.failure(409, "ABORTED", "somebody else")
        server.server.answer { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) { return stale }
            return await server.reply(to: request)
        }
        let run = run("publish menu --yes")
        #expect(run.status == 5, "\(run.words)")
        #expect(run.words.contains("in the meantime") && run.words.contains("Nothing was published."), "\(run.words)")
        #expect(server.versionNumber() == 1)
    }

    @Test(arguments: [
        ("publish limit --yes", 1, "is not overridden"), ("publish nowhere --yes", 1, "nowhere"),
        ("publish menu --condition android --yes", 1, "no condition"), ("publish --yes", 2, "Name keys"),
        ("publish menu --read-only --yes", 4, "Read-only"), ("publish --rollback 9 --yes", 5, "has no version 9"),
        ("publish --rollback 0 --yes", 2, "at least 1"), ("publish --rollback 1 --condition ios", 2, "whole template"),
        ("publish --rollback 1 --yes", 0, "has these values already"),
    ])
    func `what cannot be published says why`(line: String, status: Int32, words: String) async throws {
        let server = try await server()
        let run = run(line)
        #expect(run.status == status && run.words.contains(words), "\(run.status): \(run.words)")
        #expect(server.versionNumber() == 1 && !run.words.contains("hush"))
    }

    private static let rollout = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {"menu": {
           "defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "round", "percent": 10}},
           "conditionalValues": {"ios": {"personalizationValue": {"personalizationId": "p"}}}}}}
        """

    @Test func `a rollout ends only for who says so`() async throws {
        let server = try await server(Self.rollout)
        let refused = run("publish menu --yes")
        #expect(refused.status == 2, "\(refused.words)")
        #expect(
            refused.words.contains("menu: a rollout of round to 10 % -> square (default value)"), "\(refused.words)")
        #expect(refused.words.contains("its value stays: ios (personalization)"), "\(refused.words)")
        #expect(refused.words.contains("--replace") && refused.words.contains("Nothing was published."))
        let conditional = run("publish menu --condition ios --yes")
        #expect(conditional.status == 2 && conditional.words.contains("a personalization (condition ios)"))
        let planned = run("publish menu --dry-run --json")
        #expect(planned.status == 2 && planned.text.contains(#""oldForm": "rollout""#), "\(planned.text)")
        #expect(run("publish menu --dry-run --replace").status == 0)
        #expect(server.versionNumber() == 1)
        #expect(run("publish menu --yes --replace").status == 0)
        #expect(server.versionNumber() == 2 && server.template()?.contains("square") == true)
        #expect(server.template()?.contains("personalizationId") == true)
        // What brings back a rollout is told, and what would end one again asks for the same word.
        let back = run("publish --rollback 1 --yes")
        #expect(back.status == 0 && back.words.contains("menu: square -> a rollout of round to 10 %"), "\(back.words)")
        #expect(run("publish --rollback 2 --yes").status == 2)
        #expect(server.versionNumber() == 3)
    }

    @Test func `going back shows what would change, has it checked, and writes over nobody`() async throws {
        let server = try await server()
        server.publish(
            Self.template.replacing("plain", with: "later").replacing("'ios'", with: "'ipados'")
                .replacing("\"unknown\": [1.50],", with: ""))
        let planned = run("publish --rollback 1 --dry-run")
        #expect(planned.status == 0 && server.versionNumber() == 2, "\(planned.words)")
        for words in [
            "menu: later -> plain (default value)", "condition ios: device.os == 'ipados' -> device.os == 'ios'",
            "unknown: other parts of it", "Firebase would accept it.",
        ] { #expect(planned.words.contains(words), "\(words): \(planned.words)") }
        // Somebody publishes after the check, each time.
        server.server.answer { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) {
                server.publish(Self.template.replacing("plain", with: "theirs"))
            }
            return await server.reply(to: request)
        }
        let stale = run("publish --rollback 1 --yes")
        #expect(stale.status == 5 && stale.words.contains("in the meantime"), "\(stale.words)")
        #expect(server.template()?.contains("theirs") == true && server.versionNumber() == 3)
        server.server.answer { [server] in await server.reply(to: $0) }
        let back = run("publish --rollback 1 --yes --json")
        #expect(back.status == 0 && back.text.contains(#""version": 4"#), "\(back.text)\(back.words)")
        #expect(back.text.contains(#""old": "theirs""#) && back.text.contains(#""new": "plain""#), "\(back.text)")
        #expect(server.template()?.contains("1.50") == true)
        #expect(run("versions --limit 1").text.contains("Restores version 1"))
        #expect(!server.server.requests.contains { $0.path.hasSuffix(":rollback") })
    }

    @Test(arguments: ["publish menu --yes", "publish menu", "publish --rollback 1 --yes"])
    func `it gives up where others publish again and again`(line: String) async throws {
        let server = try await server()
        server.publish(Self.template.replacing("plain", with: "later"))
        let stale = LoopbackFirebase.failure(412, "FAILED_PRECONDITION", "somebody else")
        server.server.answer { [server] request in
            request.method == "PUT" ? stale : await server.reply(to: request)
        }
        let run = line.contains("--yes") ? run(line) : ask(line, "y\ny\ny\ny\n")
        #expect(run.status == 5 && (run.words + run.text).contains("in the meantime"), "\(run.words)\(run.text)")
        #expect(server.server.requests.count { $0.method == "PUT" } == 3)
        #expect(server.versionNumber() == 2)
    }

    @Test func `who agrees to each of three rounds and is late each time is told so`() async throws {
        let server = try await server()
        let stale = LoopbackFirebase.failure(412, "FAILED_PRECONDITION", "somebody else")
        server.server.answer { [server] request in
            let isOrder = request.method == "PUT" && !(request.query?.contains("validateOnly") ?? false)
            return isOrder ? stale : await server.reply(to: request)
        }
        let run = ask("publish menu", "y\ny\ny\ny\n")
        #expect(run.status == 5 && run.text.contains("Nothing was published."), "\(run.text)")
        #expect(run.text.components(separatedBy: "Publish this for everybody?").count == 4, "\(run.text)")
        #expect(run.text.components(separatedBy: "what would change now").count == 3, "\(run.text)")
    }

    @Test func `what was done is JSON for those who ask for it`() async throws {
        let server = try await server()
        func json(_ line: String) throws -> [String: Any] {
            let run = run(line)
            #expect(run.status == 0, "\(line): \(run.words)")
            return try #require(try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
        }
        let published = try json("publish menu --yes --json")
        #expect(published["version"] as? Int == 2)
        let changes = try #require(published["published"] as? [[String: Any]])
        #expect(
            changes.count == 1 && changes[0]["old"] as? String == "plain" && changes[0]["new"] as? String == "square")
        #expect(changes[0]["kind"] as? String == "value" && changes[0]["oldForm"] is NSNull)
        #expect((try json("publish menu --dry-run --json")["planned"] as? [Any])?.isEmpty == true)
        let again = try json("publish menu --yes --json")
        #expect((again["published"] as? [Any])?.isEmpty == true && again["version"] is NSNull)
        #expect(server.versionNumber() == 2)
    }

    @Test func `what would change stands before the question, whoever wants to hear little`() async throws {
        let server = try await server()
        for options in ["--quiet", "--json", "--quiet --json"] {
            let run = ask("publish menu \(options)", "n\n")
            #expect(run.text.contains("menu: plain -> square (default value)"), "\(options): \(run.text)")
        }
        #expect(ask("publish --rollback 1 --quiet", "n\n").text.isEmpty, "there is nothing to ask")
        #expect(server.versionNumber() == 1)
    }

    @Test(arguments: ["0", "-1", "301"]) func `a count of versions has bounds`(count: String) async throws {
        let server = try await server()
        server.server.forgetRequests()
        let refused = run("versions --limit=\(count)")
        #expect(refused.status == 2 && refused.words.contains("from 1 to 300."), "\(refused.words)")
        #expect(server.server.requests.isEmpty)
        #expect(run("versions --limit=300").status == 0)
    }

    @Test func `of several projects one has to be named`() async throws {
        let server = try await server()
        let entry = #"{"source": "firebase:%", "url": "\#(server.url)"}"#
        let entries = ["shop", "other"].map { entry.replacing("%", with: $0) }
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(entries.joined(separator: ", "))]}"#)
        for line in ["publish menu --yes", "versions"] {
            let run = run(line)
            #expect(run.status == 2 && run.words.contains("firebase:shop, firebase:other"), "\(run.words)")
        }
        #expect(run("versions --source firebase:shop").status == 0)
        #expect(run("publish menu --yes --source firebase:shop").status == 0)
        #expect(server.versionNumber() == 2)
    }

    @Test func `of several sources of one project each can be named`() async throws {
        let server = try await server()
        func entry(_ members: String) -> String {
            #"{"source": "firebase:shop", "url": "\#(server.url)"\#(members)}"#
        }
        let own = (entry(#", "namespace": "server""#), entry(#", "version": 1"#))
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(own.0), \#(own.1)]}"#)
        let names = "'firebase:shop (server)', 'firebase:shop (version 1)'"
        for line in ["versions", "versions --source firebase:shop"] {
            let run = run(line)
            #expect(run.status == 2 && run.words.contains(names), "\(run.words)")
        }
        let run = workplace.flagmenu(
            ["publish", "menu", "--yes", "--source", "firebase:shop (version 1)"], environment: Self.token)
        #expect(run.status == 0 && server.versionNumber() == 2, "\(run.words)")
        workplace.writeTrusted(#"{"app": "shop", "sources": [\#(own.0), \#(entry(""))]}"#)
        #expect(self.run("versions --source firebase:shop").status == 0)
    }

    @Test func `the project of the app's file is the one that is published to`() async throws {
        let server = try await server()
        let apps = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(apps.googleServicesFile, to: "app.json")
        func versions(_ name: String, project: String) -> CommandRun {
            workplace.writeTrusted(
                #"{"app": "shop", "source": {"source": "\#(name)", "appFile": "app.json", "url": "\#(server.url)"}}"#)
            return workplace.flagmenu(
                "versions", environment: Self.token.merging(["GOOGLE_CLOUD_PROJECT": project]) { $1 })
        }
        let run = versions("firebase:", project: "other")
        #expect(run.status == 0 && run.text.hasPrefix("1  "), "\(run.words)")
        let wrong = versions("firebase:other", project: "shop")
        #expect(wrong.status == 5 && wrong.words.contains("belongs to the project"), "\(wrong.words)")
    }

    @Test func `an unverified service is told of once by each command that asks it`() async throws {
        let server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"), "openssl makes the certificate of this test")
        let secure = try await LoopbackServer(certificate: (pair.certificate, pair.key)) { [server] in
            await server.reply(to: $0)
        }
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(secure.url)"}}"#)
        let environment = Self.token.merging(["FLAGMENU_INSECURE_TLS": "1"]) { $1 }
        func warnings(_ line: String) -> Int {
            let run = workplace.flagmenu(line, environment: environment)
            #expect(run.status == 0, "\(line): \(run.words)")
            return run.words.components(separatedBy: "is not verified").count - 1
        }
        // The first one opens the sources, which asks too.
        for line in [
            "set menu square --any", "fetch", "fetch --quiet", "versions", "publish menu --yes",
            "publish --rollback 1 --yes --quiet",
        ] { #expect(warnings(line) == 1, "\(line)") }
        #expect(warnings("get menu") == 0, "nobody is asked")
        let lost = workplace.flagmenu(
            "fetch", environment: environment.merging(["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]) { $1 })
        #expect(lost.status == 5 && lost.words.contains("is not verified"), "\(lost.words)")
    }

    @Test func `a list of versions that fails says nothing of publishing`() async throws {
        let server = try await server()
        server.server.inject(.status(403), times: .max)
        let run = run("versions")
        #expect(run.status == 5 && !run.words.contains("published"), "\(run.words)")
    }

    @Test func `an order whose answer is lost is not called undone`() async throws {
        let server = try await server()
        server.server.answer { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) { return .reset }
            return await server.reply(to: request)
        }
        let run = run("publish menu --yes")
        #expect(run.status == 5 && run.words.contains("flagmenu versions shows it"), "\(run.words)")
    }
}
