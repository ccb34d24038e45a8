#if Network
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

    @Test func `the PostHog snippet sends the person, the plan and the company`() async throws {
        let server = try await LoopbackPostHog(
            [
                .init("new_menu", audience: LoopbackAudience("plan", "pro")),
                .init("invoices", audience: LoopbackAudience("$group_key", "acme"), groupType: "company"),
            ], key: "phc_article")
        let source = try snippets.posthog(User(id: "ana"), on: server.url, key: "phc_article", client)
        #expect(try await values(source) == ["new_menu": "true", "invoices": "true"])
        let body = String(decoding: server.server.requests.last?.body ?? [], as: UTF8.self)
        #expect(body.contains(#""distinct_id":"ana""#), "\(body)")
    }

    @Test func `the Flagsmith snippet sends the identity and the trait, and stores neither`() async throws {
        let server = try await LoopbackFlagsmith([.init("new_menu", value: "3")], environmentKey: "article")
        let source = try snippets.flagsmith(User(id: "ana"), on: server.url, key: "article", client)
        #expect(try await values(source) == ["new_menu": "true", "new_menu.value": "3"])
        let body = String(decoding: try #require(server.server.requests.last?.body), as: UTF8.self)
        #expect(body.contains("ana") && body.contains("pro") && server.storedIdentities.isEmpty, "\(body)")
    }

    @Test func `the Statsig snippet sends the user and reads the named flags`() async throws {
        let server = try await LoopbackStatsig(
            [.init("new_menu"), .init("other")], [.init("menu_colors", .dynamicConfig, "{}")],
            clientKey: "client-article", isAuthorizedForNames: false)
        let source = try snippets.statsig(User(id: "ana"), on: server.url, key: "client-article", client)
        #expect(try await values(source) == ["new_menu": "true", "menu_colors": "{}"])
        let body = String(decoding: server.server.requests.last?.body ?? [], as: UTF8.self)
        #expect(body.contains(#""userID":"ana""#) && body.contains(#""plan":"pro""#), "\(body)")
    }
}
#endif
