import FlagSourceHTTP
import FlagTesting
import Flags
import Testing
import VendorServers

/// Checks that the article's snippets that take a service URL send the requests that the article describes.
@Suite struct ServiceArticleTests {
    private let snippets = ServiceSnippets()
    private let client = SourceClient(transport: HTTPTransport(), retry: .none)

    private func values(_ source: some RemoteSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let table = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: table.keys.map { ($0.string, table[$0]?.string ?? "") })
    }

    @Test func `the Unleash snippet sends the user and the plan`() async throws {
        let server = try await LoopbackUnleash([.init("new_menu")], frontendToken: "*:development.article")
        let source = try snippets.unleash(User(id: "ana"), on: server.url, token: "*:development.article", client)
        #expect(try await values(source) == ["new_menu": "true"])
        let query = try #require(server.server.requests.last?.query)
        #expect(query.contains("userId=ana") && query.contains("pro"), "\(query)")
    }

    @Test func `the document snippet sends the token`() async throws {
        let server = try await LoopbackServer { request in
            request.headers["Authorization"] == "Bearer article" ? .json(#"{"new_menu": true}"#) : .status(401)
        }
        let source = try snippets.document(at: "\(server.url)/flags.json", token: "article", client)
        #expect(try await values(source) == ["new_menu": "true"])
    }

    @Test func `the GrowthBook snippet evaluates features for the user and the plan`() async throws {
        let server = try await LoopbackGrowthBook(
            [.init("new_menu", "false", targeted: (LoopbackAudience("plan", "pro"), "true"))], clientKey: "sdk-article")
        let source = try snippets.growthBook(User(id: "ana"), on: server.url, key: "sdk-article", client)
        #expect(try await values(source) == ["new_menu": "true"])
    }

    @Test func `the Split snippet sends the key and the attributes`() async throws {
        let server = try await LoopbackSplit([.init("new_menu", "on")], token: "article")
        let source = try snippets.split(User(id: "ana"), on: server.url, token: "article", client)
        #expect(try await values(source) == ["new_menu": "on"])
        let query = try #require(server.server.requests.last?.query)
        #expect(query.contains("ana") && query.contains("pro"), "\(query)")
    }
}
