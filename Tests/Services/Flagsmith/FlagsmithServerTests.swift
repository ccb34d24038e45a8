#if Network
import FlagModel
import FlagRemote
import FlagSourceFlagsmith
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Flagsmith: with a loopback server", .limitedParallelism)
struct FlagsmithServerTests {
    private func source(
        _ url: String, key: String = "client-side-key", _ change: (inout FlagsmithSettings) -> Void = { _ in }
    ) throws -> FlagsmithSource {
        var settings = try FlagsmithSettings(baseURL: url, environmentKey: Secret(key))
        change(&settings)
        return FlagsmithSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func values(_ source: FlagsmithSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let values = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
    }

    private static let flags: [LoopbackFlagsmith.Flag] = [
        .init("checkout", false, segment: (LoopbackAudience("plan", "pro"), .init(true, #""express""#))),
        .init("own", false, identityOverride: ("ana", .init(true))),
    ]

    @Test func `segments depend on the traits, overrides on the identifier; no identity is stored`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        #expect(try await values(source(server.url)) == ["checkout": "false", "own": "false"])
        let pro = try source(server.url) { $0.context.traits = ["plan": "pro"] }
        #expect(try await values(pro) == ["checkout": "true", "checkout.value": "express", "own": "false"])
        let ana = try source(server.url) { $0.context.identifier = "ana" }
        #expect(try await values(ana) == ["checkout": "false", "own": "true"])
        #expect(server.storedIdentities.isEmpty)
    }

    @Test func `traits that Flagsmith has stored are used and stay unchanged`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        server.store("eva", traits: #"{"plan": "pro"}"#)
        #expect(try await values(source(server.url) { $0.context.identifier = "eva" })["checkout"] == "true")
        let free = try source(server.url) {
            $0.context = FlagsmithContext(identifier: "eva", traits: ["plan": "free"])
        }
        #expect(try await values(free)["checkout"] == "false")
        #expect(try await values(source(server.url) { $0.context.identifier = "eva" })["checkout"] == "true")
    }

    @Test func `an app that lets Flagsmith store the identity finds its traits in later requests`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        let storing = try source(server.url) {
            $0.context = FlagsmithContext(identifier: "eva", traits: ["plan": "pro"])
            $0.storesIdentity = true
        }
        #expect(try await values(storing)["checkout"] == "true" && server.storedIdentities == ["eva"])
        #expect(try await values(source(server.url) { $0.context.identifier = "eva" })["checkout"] == "true")
    }

    @Test func `an environment can ignore the traits of a client-side key`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        server.rejectClientTraits()
        let traits: FlagTable<ContextValue> = ["plan": "pro"]
        #expect(try await values(source(server.url) { $0.context.traits = traits })["checkout"] == "false")
        let trusted = try source(server.url, key: "ser.key") { $0.context.traits = traits }
        #expect(try await values(trusted)["checkout"] == "true")
    }

    @Test func `the notes have the override and the variant of the server`() async throws {
        let server = try await LoopbackFlagsmith(
            Self.flags + [.init("color", value: #""gray""#, variant: ("blue", "1"))])
        let source = try source(server.url) {
            $0.context = FlagsmithContext(identifier: "ana", traits: ["plan": "pro"])
        }
        guard case .values(let bytes, let version) = try await source.fetch(since: nil) else {
            Issue.record("the response has no values")
            return
        }
        let notes = try source.decode(bytes).notes
        #expect(version == nil && notes["checkout"] == "segment override" && notes["own"] == "identity override")
        #expect(notes["color.value"] == "variant blue")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ana"), "the identity is not cached")
    }

    @Test func `the server and the Edge Proxy refuse an unknown key, and the error does not show the key`() async throws
    {
        for (edition, status) in [(LoopbackFlagsmith.Edition.server, "403"), (.edgeProxy, "401")] {
            let server = try await LoopbackFlagsmith(Self.flags, edition: edition)
            let error = await #expect(throws: SourceError.self) {
                try await source(server.url, key: "hush-key").fetch(since: nil)
            }
            let sentence = error?.sentence ?? ""
            #expect(error?.code == .refused && sentence.contains(status), "\(sentence)")
            #expect(sentence.contains(edition == .server ? "Invalid or missing Environment Key" : "unknown key ***"))
            #expect(!sentence.contains("hush"), "\(sentence)")
        }
    }

    @Test func `if an organisation has exceeded its plan, the error contains the server's message`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        server.disable()
        let error = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(error?.code == .refused && error?.sentence.contains("disabled from serving flags") == true)
    }

    @Test func `a context that the service does not accept is an error`() async throws {
        let proxy = try await LoopbackFlagsmith(Self.flags, edition: .edgeProxy)
        let nameless = await #expect(throws: SourceError.self) {
            try await source(proxy.url) { $0.context.traits = ["plan": "pro"] }.fetch(since: nil)
        }
        #expect(nameless?.code == .rejected, "\(String(describing: nameless))")
        let server = try await LoopbackFlagsmith(Self.flags)
        let long = ContextValue.text(String(repeating: "x", count: 2_001))
        let tooLong = await #expect(throws: SourceError.self) {
            try await source(server.url) { $0.context.traits = ["plan": long] }.fetch(since: nil)
        }
        #expect(tooLong?.code == .rejected && tooLong?.status == 400)
    }

    @Test func `a URL with a wrong path is an error`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url + "/below").fetch(since: nil)
        }
        #expect(error?.code == .missing && error?.status == 404)
    }

    @Test func `the loopback server also implements the endpoints that the source does not use`() async throws {
        let server = try await LoopbackFlagsmith(Self.flags)
        func response(
            _ path: String, _ method: SourceRequest.Method = .get, body: String = ""
        ) async throws -> (status: Int, text: String) {
            let url = try #require(SourceURL(server.url + "/api/v1" + path))
            let headers = SourceHeaders([("X-Environment-Key", "client-side-key")])
            let request = SourceRequest(source: "t", method: method, url: url, headers: headers, body: Array(body.utf8))
            let response = try await HTTPTransport().send(request, limits: .fetch) { _ in }
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        #expect(try await response("/flags/?feature=own").text.contains(#""name":"own""#))
        #expect(try await response("/flags/?feature=none").status == 404)
        #expect(try await response("/identities/") == (200, #"{"detail":"Missing identifier"}"#))
        let transient = try await response("/identities/?identifier=ana&transient=true").text
        #expect(transient.contains(#""identifier":"ana""#) && !transient.contains(#""identity":3"#))
        #expect(server.storedIdentities.isEmpty)
        #expect(try await response("/identities/?identifier=ana").text.contains(#""identity":3"#))
        #expect(server.storedIdentities == ["ana"])
        #expect(try await response("/identities/", .post, body: "x").status == 400)
        #expect(try await response("/identities/", .post, body: #"{"traits": [{}]}"#).status == 400)
        #expect(try await response("/analytics/flags/", .post, body: "{}").status == 200)
        #expect(try await response("/elsewhere/").status == 404)
    }
}
#endif
