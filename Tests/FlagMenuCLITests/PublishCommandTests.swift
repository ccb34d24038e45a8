import FlagTesting
import Foundation
import TestSupport
import Testing

/// Overrides that become values of a Firebase template.
@Suite struct PublishCommandTests {
    private let workplace = Workplace()
    private static let token: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
    private static let template = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}], "unknown": [1.50],
         "parameters": {
           "menu": {"defaultValue": {"value": "plain"}, "conditionalValues": {"ios": {"value": "round"}}},
           "limit": {"defaultValue": {"value": "3"}, "valueType": "NUMBER"}}}
        """

    private func server() async throws -> LoopbackFirebase {
        let server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        workplace.write(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(server.url)"}}"#, to: "flagmenu.json")
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
        #expect(run.words.contains("Published as version 2. flagmenu publish --rollback 1 goes back."))
        #expect(server.versionNumber() == 2)
        let text = try #require(server.template())
        #expect(text.contains("square") && text.contains("round") && text.contains("1.50"), "\(text)")
        #expect(self.run("get menu").text == "square\n", "the override stays")
        #expect(self.run("publish menu --yes").words.contains("says so already"))
        #expect(server.versionNumber() == 2)
        let versions = self.run("versions").text
        #expect(versions.hasPrefix("2  ") && versions.contains("tried"), "\(versions)")
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
        #expect(run("versions").text.contains("brings back version 1"))
    }

    @Test func `a dry run has it checked and publishes nothing`() async throws {
        let server = try await server()
        let run = run("publish menu --dry-run --json")
        #expect(run.status == 0, "\(run.words)")
        #expect(run.text.contains(#""new": "square""#), "\(run.text)")
        #expect(server.versionNumber() == 1)
        #expect(server.server.requests.contains { $0.query?.contains("validateOnly=true") ?? false })
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
        ("publish menu --read-only --yes", 4, "Read-only"), ("publish --rollback 9 --yes", 5, "HTTP status 404"),
    ])
    func `what cannot be published says why`(line: String, status: Int32, words: String) async throws {
        let server = try await server()
        let run = run(line)
        #expect(run.status == status && run.words.contains(words), "\(run.status): \(run.words)")
        #expect(server.versionNumber() == 1 && !run.words.contains("hush"))
    }

    @Test func `an order whose answer is lost is not called undone`() async throws {
        let server = try await server()
        server.server.answer { [server] request in
            if request.method == "PUT", !(request.query?.contains("validateOnly") ?? false) { return .reset }
            return await server.reply(to: request)
        }
        let run = run("publish menu --yes")
        #expect(run.status == 5 && run.words.contains("flagmenu versions tells"), "\(run.words)")
    }
}
