#if Network
import FlagRemote
import FlagTesting
import TestSupport
import Testing

/// Remote values from a document on a web server, read by the built program.
@Suite(.limitedParallelism) struct URLServiceTests {
    private let workplace = Workplace()

    private func server(_ document: String, token: String? = nil) async throws -> LoopbackServer {
        try await LoopbackServer { request in
            guard token == nil || request.headers["Authorization"] == token.map({ "Bearer \($0)" }) else {
                return .status(401)
            }
            return request.headers["If-None-Match"] == "\"v1\""
                ? .status(304, headers: [("ETag", "\"v1\"")]) : .json(document, headers: [("ETag", "\"v1\"")])
        }
    }

    @Test func `a document is read like a file and fetched again only if it has changed`() async throws {
        let server = try await server(#"{"limit": 42, "theme": "dark"}"#)
        let source = "--source \(server.url)/shop.json"
        #expect(workplace.flagmenu("get limit \(source)").text == "42\n")
        #expect(workplace.flagmenu("get theme \(source)").text == "dark\n")
        #expect(server.requests.count == 1)
        #expect(workplace.flagmenu("fetch \(source)").status == 0)
        #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
        workplace.flagmenu("status \(source)").expect(text: "source     \(server.url)/shop.json")
        server.respond { _ in .json("<html>") }
        workplace.flagmenu("fetch \(source)").expect(5, errors: "web page")
        #expect(workplace.flagmenu("get limit \(source)").text == "42\n")
    }

    @Test func `the token comes from a variable or a file and is never shown`() async throws {
        let server = try await server(#"{"limit": 42}"#, token: "hush-token")
        let url = "\(server.url)/shop.json?sig=hush-query"
        workplace.write("hush-token\n", to: "token")
        for (member, environment) in [
            ("", ["FLAGMENU_SOURCE_TOKEN": "hush-token"]),
            (#", "tokenVariable": "SHOP"# + "\"", ["SHOP": "hush-token"]),
            (#", "tokenFile": "token""#, [:]),
        ] {
            workplace.writeTrusted(#"{"app": "shop", "source": {"source": "\#(url)"\#(member)}}"#)
            workplace.flagmenu("fetch", environment: environment).expect(0, comment: member)
            for line in ["get limit", "status", "doctor", "list --json", "explain limit"] {
                workplace.flagmenu(line, environment: environment).expect(0, without: "hush", comment: line)
            }
        }
        workplace.writeTrusted(#"{"app": "shop", "source": "\#(url)"}"#)
        workplace.flagmenu("doctor").expect(text: "Put the token into the variable FLAGMENU_SOURCE_TOKEN")
        workplace.expectNotSaved("hush")
    }

    @Test func `the conditions of a template are evaluated as in a file`() async throws {
        let server = try await server(
            #"""
            {"conditions": [{"name": "french", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions":
              [{"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES", "customSignalKey": "country",
                "targetCustomSignalValues": ["FR"]}}]}}]}}}],
             "parameters": {"price": {"defaultValue": {"value": "10"}, "conditionalValues": {"french": {"value": "12"}}}}}
            """#)
        let url = "\(server.url)/template.json"
        workplace.writeSource(url, #""context": {"country": "FR"}"#)
        #expect(workplace.flagmenu("get price").text == "12\n")
        #expect(workplace.flagmenu("context country=DE").status == 0)
        #expect(workplace.flagmenu("get price").text == "10\n")
        #expect(workplace.flagmenu("context --condition french=on").status == 0)
        #expect(workplace.flagmenu("get price").text == "12\n")
        #expect(server.requests.count == 1, "the document is evaluated again, not fetched again")
    }

    @Test func `http to another host is rejected with a remedy`() throws {
        let source = "--source http://example.com/flags.json"
        #expect(
            workplace.flagmenu("list \(source)").expect(
                errors: "http is for servers on this machine only; use https"
            ).status != 0)
        workplace.flagmenu("doctor \(source)").expect(text: "-> Write https:// at the start of the URL")
        workplace.flagmenu("init \(source) --yes").expect(2, errors: "use https")
    }
}
#endif
