import FlagSourceHTTP
import FlagTesting
import Flags
import Testing
import VendorServers

/// The code of the article, where it leaves the address of the service to the app: it is asked as the article says.
@Suite struct ServiceArticleTests {
    private let snippets = ServiceSnippets()
    private let client = SourceClient(transport: HTTPTransport(), retry: .none)

    private func values(_ source: some RemoteSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let table = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: table.keys.map { ($0.string, table[$0]?.string ?? "") })
    }

    @Test func `Unleash is asked for the user and the plan`() async throws {
        let server = try await LoopbackUnleash([.init("new_menu")], frontendToken: "*:development.article")
        let source = try snippets.unleash(User(id: "ana"), on: server.url, token: "*:development.article", client)
        #expect(try await values(source) == ["new_menu": "true"])
        let query = try #require(server.server.requests.last?.query)
        #expect(query.contains("userId=ana") && query.contains("pro"), "\(query)")
    }

    @Test func `a document is fetched with the token`() async throws {
        let server = try await LoopbackServer { request in
            request.headers["Authorization"] == "Bearer article" ? .json(#"{"new_menu": true}"#) : .status(401)
        }
        let source = try snippets.document(at: "\(server.url)/flags.json", token: "article", client)
        #expect(try await values(source) == ["new_menu": "true"])
    }

    @Test func `Split is asked for the key and with the attributes`() async throws {
        let server = try await LoopbackSplit([.init("new_menu", "on")], token: "article")
        let source = try snippets.split(User(id: "ana"), on: server.url, token: "article", client)
        #expect(try await values(source) == ["new_menu": "on"])
        let query = try #require(server.server.requests.last?.query)
        #expect(query.contains("ana") && query.contains("pro"), "\(query)")
    }
}
