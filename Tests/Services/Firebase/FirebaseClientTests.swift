#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceFirebase

/// Firebase as an app: values.
@Suite(.limitedParallelism, .timeLimit(.minutes(10)))
struct FirebaseClientTests {
    private let clock = ManualClock()
    private let server: LoopbackFirebaseApps
    private let storage = InstallationStorage()

    init() async throws {
        server = try await LoopbackFirebaseApps(["menu": "true"], now: { [clock] in clock.now })
    }

    /// A source of the known app, or of the app in `file`.
    private func source(
        file: String? = nil, cachedIn storage: InstallationStorage? = nil,
        _ change: (inout FirebaseClientSettings) throws -> Void = { _ in }
    ) throws -> FirebaseClientSource {
        let app = try FirebaseApp(googleServices: Array((file ?? server.googleServicesFile).utf8))
        var settings = try FirebaseClientSettings(app, address: server.url)
        try change(&settings)
        return FirebaseClientSource(
            settings, client: SourceClient(transport: HTTPTransport(), retry: .none, clock: clock.sourceClock),
            cachedIn: storage?.file)
    }

    /// Stores an installation in memory.
    private final class InstallationStorage: Sendable {
        let content = Mutex<[UInt8]?>(nil)

        var file: FirebaseInstallationFile {
            FirebaseInstallationFile(
                read: { self.content.withLock { $0 } },
                update: { change in self.content.withLock { $0 = change($0) ?? $0 } })
        }
        var text: String { String(decoding: content.withLock { $0 } ?? [], as: UTF8.self) }
    }

    /// Fetches by a source, or by one of a new run with the cached installation.
    ///
    /// - Returns: the ends of the paths of all requests since the last call.
    private func fetch(by source: FirebaseClientSource? = nil) async throws -> [String] {
        #expect(try await (source ?? self.source(cachedIn: storage)).fetchTexts() == ["menu": "true"])
        return paths()
    }

    /// The ends of the paths of all requests since the last call.
    private func paths() -> [String] {
        defer { server.server.forgetRequests() }
        return server.server.requests.map { String($0.path.split(separator: "/").last ?? "") }
    }

    @Test func `a new installation id matches the protocol's worked example`() throws {
        let uuid = try #require(UUID(uuidString: "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"))
        #expect(FirebaseInstallation.newID(uuid) == "fqqqqqq7u0zMjd3u7u7u7u")
        for _ in 0..<200 {
            let id = FirebaseInstallation.newID()
            #expect(id.count == 22 && "cdef".contains(id.first ?? " "))
        }
    }

    @Test func `an installation is registered once and reused by later fetches`() async throws {
        let source = try source()
        #expect(try await source.fetchTexts() == ["menu": "true"])
        let requests = server.server.requests
        #expect(
            requests.map(\.path) == ["/v1/projects/shop/installations/", "/v1/projects/shop/namespaces/firebase:fetch"])
        let registration = try #require(requests[0].json)
        #expect(registration["authVersion"]?.text == "FIS_v2" && registration["appId"]?.text == "1:123:ios:abc")
        #expect(registration["sdkVersion"]?.text == "i:12.19.0")
        #expect(requests.allSatisfy { $0.headers["X-Ios-Bundle-Identifier"] == "com.example.shop" })
        #expect(requests[1].headers["X-Firebase-RC-Fetch-Type"] == "BASE/1")
        #expect(requests[1].headers["If-None-Match"] == nil && requests[1].query("key") == "AIza-hush")
        let fetch = try #require(requests[1].json)
        #expect(fetch["app_instance_id"]?.text == registration["fid"]?.text)
        #expect(fetch["package_name"]?.text == "com.example.shop" && fetch["sdk_version"]?.text == "12.19.0")
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.count == 3)
    }

    @Test func `a token is renewed an hour before it expires`() async throws {
        let source = try source()
        _ = try await fetch(by: source)
        clock.turn(by: 604_800 - 3_601)
        #expect(try await fetch(by: source) == ["firebase:fetch"])
        clock.turn(by: 1)
        #expect(try await fetch(by: source) == ["authTokens:generate", "firebase:fetch"])
    }

    @Test func `a cached installation is reused in the next run, and its expired token is renewed`() async throws {
        _ = try await source(cachedIn: storage).fetch(since: nil)
        let id = try #require(server.server.requests.last?.json?["app_instance_id"]?.text)
        #expect(storage.text.contains(id.string) && !storage.text.contains("AIza"))
        _ = paths()
        for (seconds, paths) in [
            (86_400, ["firebase:fetch"]), (604_800, ["authTokens:generate", "firebase:fetch"]),
            // The renewed token is cached too.
            (0, ["firebase:fetch"]),
        ] as [(Int64, [String])] {
            clock.turn(by: seconds)
            #expect(try await source(cachedIn: storage).fetchTexts() == ["menu": "true"])
            #expect(server.server.requests.last?.json?["app_instance_id"]?.text == id)
            #expect(self.paths() == paths)
        }
    }

    @Test func `a cached installation is registered again only if the service reports it gone`() async throws {
        _ = try await fetch()
        let old = storage.text
        clock.turn(by: 604_800)
        server.server.inject(.status(503))
        #expect(try await source(cachedIn: storage).fetchError()?.code == .faulty)
        #expect(storage.text == old, "a failing service does not remove the installation")
        _ = paths()
        server.forgetInstallations()
        #expect(try await fetch() == ["authTokens:generate", "installations", "firebase:fetch"])
        #expect(storage.text != old)
        server.forgetInstallations()
        let source = try source(cachedIn: storage)
        #expect(
            try await fetch(by: source) == [
                "firebase:fetch", "authTokens:generate", "installations", "firebase:fetch",
            ],
            "an unexpired token that the service has forgotten is replaced")
        server.server.inject(.status(401))
        #expect(await source.fetchError()?.code == .refused, "a token issued in this run is not renewed")
        #expect(paths() == ["firebase:fetch"])
    }

    @Test func `two simultaneous first runs cache and use the same installation`() async throws {
        server.server.respond { request in
            // Neither gets a response before both have sent a request.
            try? await server.server.waitForRequests(2) { $0.path.hasSuffix("/installations/") }
            return server.reply(to: request)
        }
        async let first = source(cachedIn: storage).fetchTexts()
        async let second = source(cachedIn: storage).fetchTexts()
        #expect(try await [first, second] == [["menu": "true"], ["menu": "true"]])
        let requested = server.server.requests.filter { $0.path.hasSuffix(":fetch") }
        let ids = Set(requested.compactMap { $0.json?["app_instance_id"]?.text?.string })
        #expect(requested.count == 2 && ids.count == 1, "\(ids)")
        #expect(ids.allSatisfy(storage.text.contains))
        #expect(paths().count { $0 == "installations" } == 2)
    }

    @Test func `live updates get a new token if the service rejects the cached one`() async throws {
        _ = try await source(cachedIn: storage).fetch(since: nil)
        server.forgetInstallations()
        let source = try source(cachedIn: storage)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .connected)
        let requested = server.server.requests.suffix(4).map { $0.path.split(separator: "/").last }
        #expect(
            requested == [
                "firebase:streamFetchInvalidations", "authTokens:generate", "installations",
                "firebase:streamFetchInvalidations",
            ])
    }

    @Test func `a cached installation that is damaged or of another app is ignored`() async throws {
        _ = try await fetch()
        let whole = storage.text
        for (name, text) in [
            ("cut", String(whole.prefix(60))), ("newer", whole.replacing("\"format\": 1", with: "\"format\": 2")),
            ("other", whole.replacing("1:123:ios:abc", with: "1:123:ios:abd")), ("empty", ""),
        ] {
            storage.content.withLock { $0 = Array(text.utf8) }
            #expect(try await fetch() == ["installations", "firebase:fetch"], "\(name)")
        }
    }

    @Test func `a failed installation request has the backoff of a failed fetch`() async throws {
        let source = try source()
        for wait in [120, 240] as [Int64] {
            server.server.inject(.status(503))
            #expect(await source.fetchError()?.retryAfter == .seconds(wait))
        }
        server.server.inject(.status(403))
        let refused = await source.fetchError()
        #expect(refused?.code == .refused && refused?.retryAfter == nil)
        server.server.inject(.reset)
        let reset = await source.fetchError()
        #expect(reset?.code == .unreachable && reset?.retryAfter == nil)
        #expect(server.server.requests.count == 4)
        #expect(try await source.fetchTexts() == ["menu": "true"])
    }

    @Test func `simultaneous requests share one registration, also if one of them is cancelled`() async throws {
        let source = try source()
        server.server.inject(.hang)
        let cancelled = Task { await source.fetchError() }
        try await server.server.waitForRequests()
        let others = (0..<3).map { _ in Task { await source.fetchError() } }
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        for other in others { #expect(await other.value == nil) }
        #expect(paths().count { $0 == "installations" } == 2)
    }

    @Test func `each state of a response is handled as in the SDK`() async throws {
        let source = try source()
        let etag = try #require(try await source.fetchValues().version)
        #expect(try await source.fetch(since: etag) == .unchanged)
        #expect(server.server.requests.last?.headers["If-None-Match"] == etag)
        server.set(["menu": "false"])
        #expect(try await source.fetchValues(since: etag).texts == ["menu": "false"])
        server.set([:], state: "EMPTY_CONFIG")
        #expect(try await source.fetchValues(since: etag).texts == [:])
        server.set([:], state: "NO_TEMPLATE")
        #expect(try await source.fetchValues(since: etag).texts == [:])
        server.set(["menu": "lost"], state: "INSTANCE_STATE_UNSPECIFIED")
        let error = await source.fetchError(since: etag)
        #expect(error?.code == .faulty && error?.description.contains("INSTANCE_STATE_UNSPECIFIED") == true)
        server.server.inject(.json(#"{"state": "NO_CHANGE"}"#))
        #expect(await source.fetchError()?.code == .malformed, "without cached values this is an error")
        server.server.inject(.json(#"{"error": {"code": 500, "message": "m", "status": "INTERNAL"}}"#))
        #expect(await source.fetchError()?.code == .malformed)
    }

    @Test(arguments: [429, 500, 503, 504])
    func `after 429, 500, 503 and 504 the backoff doubles, unless the service sends Retry-After`(status: Int)
        async throws
    {
        let source = try source()
        _ = try await source.fetch(since: nil)
        var waits: [Duration?] = []
        for _ in 0..<9 {
            server.server.inject(.status(status))
            waits.append(await source.fetchError()?.retryAfter)
        }
        #expect(waits == [120, 240, 480, 960, 1_920, 3_840, 7_680, 14_400, 14_400].map { .seconds($0) })
        server.server.inject(.status(status, headers: [("Retry-After", "7")]))
        #expect(await source.fetchError()?.retryAfter == .seconds(7))
        _ = try await source.fetch(since: nil)
        server.server.inject(.status(status))
        #expect(await source.fetchError()?.retryAfter == .seconds(120), "a response resets the backoff")
        #expect(FirebaseClientSource.wait(afterFailures: 1, random: 0) == .seconds(60))
        #expect(FirebaseClientSource.wait(afterFailures: 1, random: 0.999_999) == .seconds(180))
        server.server.inject(.status(404))
        #expect(await source.fetchError()?.retryAfter == nil)
    }

    private func document(_ text: String) throws -> RemoteDocument {
        FirebaseFetchFlags.document(try FirebaseFetchFlags.root(of: Array(text.utf8)))
    }

    @Test func `experiments, rollouts and personalizations are noted`() throws {
        let document = try document(
            #"{"state": "UPDATE", "entries": {"a": "1", "b": "2", "c": "3", "d": "4"}, "#
                + #""experimentDescriptions": [{"experimentId": "_exp_1", "variantId": "0", "affectedParameterKeys": ["a"]}], "#
                + #""rolloutMetadata": [{"rolloutId": "rollout_1", "variantId": "control", "#
                + #""affectedParameterKeys": ["a", "b"]}], "personalizationMetadata": {"c": {"personalizationId": "p"}}}"#
        )
        let snapshot = RemoteSnapshot(documents: [document])
        #expect(snapshot.note(of: "a") == "experiment _exp_1, variant 0, rollout rollout_1, variant control")
        #expect(snapshot.note(of: "b") == "rollout rollout_1, variant control")
        #expect(snapshot.note(of: "c") == "personalization p" && snapshot.note(of: "d") == nil)
    }

    @Test func `a value that is not a string is left out with an issue`() throws {
        let document = try document(#"{"state": "UPDATE", "entries": {"a": 1, "b": "x"}}"#)
        #expect(document.values == ["b": "x"] && document.issues.count == 1)
        #expect(throws: DocumentError.self) { try self.document("{}") }
    }

    private func device(_ text: String) throws -> FirebaseDevice {
        try FirebaseDevice(try JSONDocument(parsing: Array(text.utf8)).root)
    }

    @Test func `device values of the context are sent and change the source's identity`() async throws {
        let device = try device(
            #"{"country_code": "FR", "platform_version": "18.0", "plan": "pro", "level": 5, "none": null, "#
                + #""analytics_user_properties": {"tier": "gold"}}"#)
        let source = try source { $0.device = device }
        _ = try await source.fetch(since: nil)
        let body = try #require(server.server.requests.last?.json)
        #expect(body["country_code"]?.text == "fr" && body["platform_version"]?.text == "18.0")
        #expect(body["custom_signals"]?.source == #"{"level":"5","plan":"pro"}"#)
        #expect(body["analytics_user_properties"]?.source == #"{"tier":"gold"}"#)
        #expect(try source.identity != self.source().identity)
        #expect(!source.identity.text.contains("gold"))
    }

    @Test(arguments: [#"{"a": []}"#, "[]"])
    func `values that are neither strings nor numbers are rejected before they are sent`(text: String) throws {
        #expect(throws: DocumentError.self) { try device(text) }
    }

    @Test func `requests of an Android app have its package and the fingerprint of its certificate`() async throws {
        let fingerprint = (1...20).map { $0 < 10 ? "0\($0)" : "a\($0 % 10)" }
        func setCertificate(_ text: String) throws -> FirebaseClientSource {
            let file = server.googleServicesFile.replacing("1:123:ios:abc", with: "1:123:android:abc")
            return try source(file: file) { try $0.setAndroidCertificate(text) }
        }
        _ = try await setCertificate(fingerprint.joined(separator: ":")).fetchError()
        #expect(!server.server.requests.isEmpty)
        for request in server.server.requests {
            #expect(request.headers["X-Android-Cert"] == fingerprint.joined().uppercased(), "\(request.path)")
            #expect(request.headers["X-Android-Package"] == "com.example.shop")
            #expect(request.headers["X-Ios-Bundle-Identifier"] == nil)
        }
        for text in ["", "0102", fingerprint.joined() + "0", fingerprint.joined().replacing("01", with: "0g")] {
            #expect(throws: SourceError.self, "\(text)") { try setCertificate(text) }
        }
    }

    @Test func `an invalid API key fails with Firebase's message`() async throws {
        let file = server.googleServicesFile.replacing("AIza-hush", with: "AIza-other")
        let error = try await source(file: file).fetchError()
        #expect(error?.code == .rejected && error?.description.contains("API key not valid") == true)
        #expect(error?.description.contains("AIza") == false)
    }
}
#endif
