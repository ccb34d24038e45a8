#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagSourceHTTP
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

@Suite("CloudKit: fetching a database page by page", .limitedParallelism)
struct CloudKitSourceTests {
    private static let flags = [
        LoopbackCloudKit.Record("new_ui", isActive: true), .init("dark_mode", isActive: false),
        .init("search", isActive: true),
        .init("odd", fields: #"{"featureName": {"value": "odd", "type": "STRING"}, "secret": {"value": "hushfield"}}"#),
        .init("gone", fields: "{}", isDeleted: true),
    ]

    private func source(
        _ server: LoopbackCloudKit, _ credentials: CloudKitCredentials = .apiToken(Secret("hush-token")),
        container: String? = nil, clock: ManualClock = ManualClock()
    ) throws -> CloudKitSource {
        let settings = try CloudKitSettings(
            container: container ?? server.container, credentials: credentials, baseURL: server.url)
        return CloudKitSource(
            settings, client: SourceClient(transport: HTTPTransport(), clock: clock.sourceClock))
    }

    private func bytes(of source: CloudKitSource) async throws -> [UInt8] {
        guard case .values(let bytes, nil) = try await source.fetch(since: nil) else {
            throw SourceError(code: .malformed, path: source.name, sentence: "no values, or ones with a version")
        }
        return bytes
    }

    private func failure(of source: CloudKitSource) async -> SourceError? {
        do throws(SourceError) {
            _ = try await source.fetch(since: nil)
            return nil
        } catch {
            return error
        }
    }

    @Test func `all pages become one document, without the users who changed the records`() async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"), pageSize: 2)
        let source = try source(server)
        let bytes = try await bytes(of: source)
        #expect(server.server.requests.count == 3)
        let document = try source.decode(bytes)
        #expect(document.values.count == 3 && document.values["dark_mode"] == "false" && document.issues.count == 1)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hush"))
        let markers = server.server.requests.map { $0.json?["continuationMarker"]?.text?.string }
        #expect(markers[0] == nil && markers[1] != nil && markers[2] != nil && markers[1] != markers[2])
        #expect(Set(server.server.requests.map { $0.json?["query"]?.source }).count == 1, "the query stays the same")
    }

    @Test func `a failed later page fails the fetch, and the next fetch reads a changed database`() async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"), pageSize: 2)
        let source = try source(server)
        let count = Mutex(0)
        server.server.respond { request in
            if count.withLock({
                $0 += 1; return $0 == 2
            }) {
                return .status(403)
            }
            return server.reply(to: request)
        }
        #expect(await failure(of: source)?.code == .refused)
        server.set([.init("dark_mode", isActive: true)])
        let bytes = try await bytes(of: source)
        #expect(try source.decode(bytes).values["dark_mode"] == "true")
    }

    @Test func `numbers as strings, which a proxy may request, are read too`() async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("t"))
        let body =
            #"{"query": {"recordType": "FeatureStatus", "filterBy": [{"comparator": "EQUALS", "fieldName": "featureName", "fieldValue": {"value": "new_ui", "type": "STRING"}}]}, "numbersAsStrings": true}"#
        let url = try #require(
            SourceURL("\(server.url)/database/1/\(server.container)/production/public/records/query?ckAPIToken=t"))
        let response = try await SourceClient(transport: HTTPTransport()).send(
            SourceRequest(source: "s", method: .post, url: url, body: Array(body.utf8)))
        #expect(String(decoding: response.body, as: UTF8.self).contains(#""value": "1""#))
        let settings = try CloudKitSettings(container: server.container, credentials: .apiToken(Secret("t")))
        let values = try CloudKitFlags.document(response.body, settings).values
        #expect(values.count == 1 && values["new_ui"] == "true")
    }

    @Test func `each request is signed with its own time, also after a retry and for later pages`() async throws {
        let clock = ManualClock()
        let server = try await LoopbackCloudKit(
            Self.flags, access: .serverKey(id: "hush-id", publicKey: CloudKitVectors.publicKey), pageSize: 3,
            now: { clock.now })
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: CloudKitVectors.ecparam)
        let source = try source(server, .serverKey(key), clock: clock)
        server.server.inject(LoopbackCloudKit.failure("THROTTLED", status: 429, retryAfter: 4))
        _ = try await source.fetch(since: nil)
        #expect(clock.waits == [.seconds(4)])
        let dates = server.server.requests.map { $0.headers["X-Apple-CloudKit-Request-ISO8601Date"] }
        #expect(dates == ["2026-11-21T10:00:00Z", "2026-11-21T10:00:04Z", "2026-11-21T10:00:04Z"])
        clock.turn(by: 3_600)
        _ = try await source.fetch(since: nil)
    }

    @Test func `a wrong key, a wrong clock and a wrong token are each refused with a remedy`() async throws {
        let clock = ManualClock()
        let server = try await LoopbackCloudKit(
            Self.flags, access: .serverKey(id: "hush-id", publicKey: CloudKitVectors.publicKey), now: { clock.now })
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: CloudKitVectors.pkcs8)
        let otherKey = try CloudKitServerKey(id: Secret("other-hush-id"), pem: CloudKitVectors.pkcs8)
        let late = ManualClock(FlagTimestamp(seconds: clock.now.seconds - 700))
        for source in [
            try source(server, .serverKey(otherKey), clock: clock), try source(server, .serverKey(key), clock: late),
            try source(server, .apiToken(Secret("hush-token")), clock: clock),
        ] {
            let error = await failure(of: source)
            #expect(error?.code == .refused && error?.description.contains("AUTHENTICATION_FAILED") == true)
            #expect(error?.description.contains("clock") == true && error?.description.contains("hush") == false)
        }
        let elsewhere = await failure(of: try source(server, .serverKey(key), container: "iCloud.other", clock: clock))
        #expect(elsewhere?.code == .missing && elsewhere?.path == "cloudkit:iCloud.other")
        server.requireSignIn()
        let signIn = await failure(of: try source(server, .serverKey(key), clock: clock))
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
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"))
        server.server.inject(
            LoopbackCloudKit.failure(code, status: status, reason: "as it \u{1B}[2J is", retryAfter: 30), times: .max)
        let error = try #require(await failure(of: try source(server)))
        #expect(error.code == kind, "\(error)")
        #expect(error.description.contains(code) && error.description.contains(#"as it \u001B[2J is"#), "\(error)")
        #expect(error.retryAfter == (kind == .faulty || kind == .rateLimited ? .seconds(30) : nil))
        #expect(server.server.requests.count == 1, "a fetch does not wait 30 seconds for a retry")
    }

    @Test func `Retry-After is read from the header too, also without JSON, as CloudKit sends it with 503`()
        async throws
    {
        let (server, clock) = (try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token")), ManualClock())
        let source = try source(server, clock: clock)
        server.server.inject(.status(503, headers: [("Retry-After", "3")]))
        _ = try await source.fetch(since: nil)
        #expect(clock.waits == [.seconds(3)])
        server.server.inject(
            .json(#"{"serverErrorCode": "THROTTLED"}"#, status: 429, headers: [("Retry-After", "90")]), times: 1)
        #expect(await failure(of: source)?.retryAfter == .seconds(90))
    }

    @Test(arguments: ["-1", "1e400", "\"soon\"", "null"])
    func `an invalid retryAfter is ignored`(wait: String) async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"))
        server.server.inject(.json(#"{"serverErrorCode": "THROTTLED", "retryAfter": \#(wait)}"#, status: 429))
        let error = await failure(of: try source(server))
        #expect(error?.code == .rateLimited && error?.retryAfter == nil)
    }

    @Test func `a throttled record is retried, because its flag would look off without it`() async throws {
        let (server, clock) = (try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token")), ManualClock())
        let source = try source(server, clock: clock)
        server.server.inject(
            .json(
                #"{"records": [{"recordName": "a", "serverErrorCode": "THROTTLED", "reason": "r", "retryAfter": 2}]}"#))
        let document = try source.decode(try await bytes(of: source))
        #expect(clock.waits == [.seconds(2)] && document.values.count == 3)
        server.server.inject(
            .json(#"{"records": [{"recordName": "a", "serverErrorCode": "ACCESS_DENIED", "reason": "r"}]}"#))
        let issues = try source.decode(try await bytes(of: source)).issues.map(\.description)
        #expect(issues == [#"the record "a" was left out: CloudKit did not return it (ACCESS_DENIED, "r")"#])
    }

    @Test func `an endless series of pages fails`() async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"))
        let source = try source(server)
        server.server.inject(.json(#"{"records": [], "continuationMarker": "again"}"#), times: .max)
        let circle = await failure(of: source)
        #expect(circle?.code == .malformed && server.server.requests.count == 2, "\(String(describing: circle))")
        server.server.recover()
        let count = Mutex(0)
        server.server.respond { _ in
            .json(#"{"records": [], "continuationMarker": "\#(count.withLock { $0 += 1; return $0 })"}"#)
        }
        #expect(await failure(of: source)?.code == .tooLarge)
        #expect(count.withLock { $0 } == 1_000)
    }

    @Test func `credentials and the query are never sent to another origin`() async throws {
        let server = try await LoopbackCloudKit(Self.flags, access: .apiToken("hush-token"))
        let elsewhere = try await LoopbackServer { _ in .json(#"{"records": []}"#) }
        let key = try CloudKitServerKey(id: Secret("hush-id"), pem: CloudKitVectors.pkcs8)
        for credentials in [CloudKitCredentials.apiToken(Secret("hush-token")), .serverKey(key)] {
            for status in [301, 302, 307, 308] {
                server.server.inject(.status(status, headers: [("Location", "\(elsewhere.url)/database")]))
                let error = await failure(of: try source(server, credentials))
                #expect(error?.code == .insecure && error?.description.contains("hush") == false)
            }
            server.server.inject(.status(303, headers: [("Location", "\(elsewhere.url)/database")]))
            _ = await failure(of: try source(server, credentials))
        }
        for request in elsewhere.requests {
            #expect(request.query == nil && !"\(request)".contains("hush"))
            #expect(request.headers["X-Apple-CloudKit-Request-KeyID"] == nil)
            #expect(request.headers["X-Apple-CloudKit-Request-SignatureV1"] == nil)
        }
    }
}
#endif
