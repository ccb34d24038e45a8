#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// CloudKit: fetching a database page by page.
@Suite(.limitedParallelism, .timeLimit(.minutes(10)))
struct CloudKitSourceTests {
    private static let flags = [
        LoopbackCloudKit.Record("new_ui", isActive: true), .init("dark_mode", isActive: false),
        .init("search", isActive: true),
        .init("odd", fields: #"{"featureName": {"value": "odd", "type": "STRING"}, "secret": {"value": "hushfield"}}"#),
        .init("gone", fields: "{}", isDeleted: true),
    ]

    private let clock = ManualClock()

    /// A server for the token.
    private let server: LoopbackCloudKit
    /// A server for signatures of the key `hush-id`.
    private let signedServer: LoopbackCloudKit

    init() async throws {
        server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"), pageSize: 2)
        signedServer = try await LoopbackCloudKit(
            Self.flags, access: .serverKey(id: "hush-id", publicKey: CloudKitVectors.publicKey), pageSize: 3,
            now: { [clock] in clock.now })
    }

    private func key(_ id: String = "hush-id") throws -> CloudKitCredentials {
        .serverKey(try CloudKitServerKey(id: Secret(id), pem: CloudKitVectors.pkcs8))
    }

    private func source(
        _ server: LoopbackCloudKit? = nil, _ credentials: CloudKitCredentials = .apiToken(Secret("hush-token")),
        container: String? = nil, clock: ManualClock? = nil
    ) throws -> CloudKitSource {
        let server = server ?? self.server
        let settings = try CloudKitSettings(
            container: container ?? server.container, credentials: credentials, baseURL: server.url)
        let clock = (clock ?? self.clock).sourceClock
        return CloudKitSource(settings, client: SourceClient(transport: HTTPTransport(), clock: clock))
    }

    @Test func `all pages become one document, without the users who changed the records`() async throws {
        let values = try await source().fetchValues()
        #expect(values.texts == ["new_ui": "true", "dark_mode": "false", "search": "true"])
        #expect(values.version == nil && values.document.issues.count == 1)
        #expect(!String(decoding: values.bytes, as: UTF8.self).contains("hush"))
        let markers = server.server.requests.map { $0.json?["continuationMarker"]?.text?.string }
        #expect(markers.count == 3 && markers[0] == nil && Set(markers).count == 3)
        #expect(Set(server.server.requests.map { $0.json?["query"]?.source }).count == 1, "the query stays the same")
    }

    @Test func `a failed later page fails the fetch, and the next fetch reads a changed database`() async throws {
        let source = try source()
        server.server.respond { server.server.requests.count == 2 ? .status(403) : server.reply(to: $0) }
        #expect(await source.fetchError()?.code == .refused)
        server.set([.init("dark_mode", isActive: true)])
        #expect(try await source.fetchTexts() == ["dark_mode": "true"])
    }

    @Test func `each request is signed with its own time, also after a retry and for later pages`() async throws {
        let server = signedServer
        let source = try source(server, key())
        server.server.inject(LoopbackCloudKit.failure("THROTTLED", status: 429, retryAfter: 4))
        _ = try await source.fetch(since: nil)
        #expect(clock.waits == [.seconds(4)])
        let dates = server.server.requests.map { $0.headers["X-Apple-CloudKit-Request-ISO8601Date"] }
        #expect(dates == ["2026-11-21T10:00:00Z", "2026-11-21T10:00:04Z", "2026-11-21T10:00:04Z"])
        clock.turn(by: 3_600)
        _ = try await source.fetch(since: nil)
    }

    @Test func `a wrong key, a wrong clock and a wrong token are each refused with a remedy`() async throws {
        let server = signedServer
        let late = ManualClock(FlagTimestamp(seconds: clock.now.seconds - 700))
        let (otherKey, wrongClock) = (try source(server, key("other-hush-id")), try source(server, key(), clock: late))
        for source in [otherKey, wrongClock, try source(server)] {
            let error = await source.fetchError()
            #expect(error?.code == .refused && error?.description.contains("AUTHENTICATION_FAILED") == true)
            #expect(error?.description.contains("clock") == true && error?.description.contains("hush") == false)
        }
        let elsewhere = try await source(server, key(), container: "iCloud.other").fetchError()
        #expect(elsewhere?.code == .missing && elsewhere?.path == "cloudkit:iCloud.other")
        server.server.inject(LoopbackCloudKit.failure("AUTHENTICATION_REQUIRED", status: 421))
        let signIn = try await source(server, key()).fetchError()
        #expect(signIn?.code == .refused && signIn?.description.contains("World") == true)
        #expect(
            signIn?.description.contains("signinsecret") == false,
            "the sign-in URL, which contains a token, is not shown")
    }

    @Test(
        arguments: [
            ("ACCESS_DENIED", 403, SourceError.Code.refused), ("ATOMIC_ERROR", 400, .rejected),
            ("AUTHENTICATION_FAILED", 401, .refused), ("AUTHENTICATION_REQUIRED", 421, .refused),
            ("BAD_REQUEST", 400, .rejected), ("CONFLICT", 409, .rejected), ("EXISTS", 409, .rejected),
            ("INTERNAL_ERROR", 500, .faulty), ("NOT_FOUND", 404, .missing), ("QUOTA_EXCEEDED", 413, .rejected),
            ("THROTTLED", 429, .rateLimited), ("TRY_AGAIN_LATER", 503, .faulty),
            ("VALIDATING_REFERENCE_ERROR", 412, .rejected), ("ZONE_NOT_FOUND", 404, .missing),
            ("OF_TOMORROW", 503, .faulty), ("OF_TOMORROW", 200, .faulty),
        ])
    func `each CloudKit error code has its own error`(code: String, status: Int, kind: SourceError.Code) async throws {
        server.server.inject(
            LoopbackCloudKit.failure(code, status: status, reason: "as it \u{1B}[2J is", retryAfter: 30), times: .max)
        let error = try #require(try await source().fetchError())
        #expect(error.code == kind, "\(error)")
        #expect(error.description.contains(code) && error.description.contains(#"as it \u001B[2J is"#), "\(error)")
        #expect(error.retryAfter == (kind == .faulty || kind == .rateLimited ? .seconds(30) : nil))
        #expect(server.server.requests.count == 1, "a fetch does not wait 30 seconds for a retry")
    }

    @Test func `Retry-After is read from the header too, also without JSON, as CloudKit sends it with 503`()
        async throws
    {
        let source = try source()
        server.server.inject(.status(503, headers: [("Retry-After", "3")]))
        _ = try await source.fetch(since: nil)
        #expect(clock.waits == [.seconds(3)])
        server.server.inject(
            .json(#"{"serverErrorCode": "THROTTLED"}"#, status: 429, headers: [("Retry-After", "90")]), times: 1)
        #expect(await source.fetchError()?.retryAfter == .seconds(90))
    }

    @Test(arguments: ["-1", "1e400", "\"soon\"", "null"])
    func `an invalid retryAfter is ignored`(wait: String) async throws {
        server.server.inject(.json(#"{"serverErrorCode": "THROTTLED", "retryAfter": \#(wait)}"#, status: 429))
        let error = try await source().fetchError()
        #expect(error?.code == .rateLimited && error?.retryAfter == nil)
    }

    @Test func `a throttled record is retried, because its flag would look off without it`() async throws {
        let source = try source()
        server.server.inject(
            .json(
                #"{"records": [{"recordName": "a", "serverErrorCode": "THROTTLED", "reason": "r", "retryAfter": 2}]}"#))
        #expect(try await source.fetchTexts().count == 3)
        #expect(clock.waits == [.seconds(2)])
        server.server.inject(
            .json(#"{"records": [{"recordName": "a", "serverErrorCode": "ACCESS_DENIED", "reason": "r"}]}"#))
        let issues = try await source.fetchValues().document.issues.map(\.description)
        #expect(issues == [#"the record "a" was left out: CloudKit did not return it (ACCESS_DENIED, "r")"#])
    }

    @Test func `an endless series of pages fails`() async throws {
        let source = try source()
        server.server.inject(.json(#"{"records": [], "continuationMarker": "again"}"#), times: .max)
        let circle = await source.fetchError()
        #expect(circle?.code == .malformed && server.server.requests.count == 2, "\(String(describing: circle))")
        server.server.recover()
        server.server.forgetRequests()
        server.server.respond { _ in
            .json(#"{"records": [], "continuationMarker": "\#(server.server.requests.count)"}"#)
        }
        #expect(await source.fetchError()?.code == .tooLarge)
        #expect(server.server.requests.count == 1_000)
    }
}

/// CloudKit: conformance suite.
@Suite(.limitedParallelism)
struct CloudKitConformanceTests {
    @Test(arguments: SourceCheck.allCases, [true, false])
    func `with a server-to-server key, and with an API token`(check: SourceCheck, isSigned: Bool) async throws {
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: CloudKitVectors.ecparam)
        let credentials: CloudKitCredentials = isSigned ? .serverKey(key) : .apiToken(Secret("hush-token"))
        let access: LoopbackCloudKit.Access =
            isSigned ? .serverKey(id: "hush-id", publicKey: CloudKitVectors.publicKey) : .apiToken("hush-token")
        let flags = [("new_ui", true), ("dark_mode", false), ("search", true)]
        // The suite's clock shows the start time of a manual clock, or a few minutes later.
        let now = ManualClock().now
        let service = try await LoopbackCloudKit(
            flags.map { LoopbackCloudKit.Record($0.0, isActive: $0.1) }, access: access, pageSize: 2, now: { now })
        var suite = SourceConformanceSuite(
            source: { url, client in
                let settings = try CloudKitSettings(
                    container: "iCloud.com.example.shop", credentials: credentials, baseURL: url)
                return CloudKitSource(settings, client: client)
            },
            service: { service.reply(to: $0) }, values: ["new_ui": "true", "dark_mode": "false", "search": "true"],
            secrets: ["hush-token", "hush-id", "_hushuser"], transport: HTTPTransport(), hasVersions: false,
            hasBaseURL: true)
        suite.requestsPerFetch = 2
        try await check.run(on: suite)
    }
}
#endif
