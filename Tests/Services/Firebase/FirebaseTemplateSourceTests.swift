#if Network
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Firebase: templates over the network.
@Suite(.limitedParallelism)
struct FirebaseTemplateSourceTests {
    /// Limits for a machine that runs a thousand tests at the same time.
    private let client = SourceClient(
        transport: HTTPTransport(), limits: SourceLimits(idleTimeout: .seconds(60), total: .seconds(120)),
        clock: ManualClock().sourceClock)

    private func templates(
        _ server: LoopbackFirebase, _ namespace: FirebaseTemplates.Namespace = .client
    ) throws -> FirebaseTemplates {
        try FirebaseTemplates(
            of: server.project, namespace: namespace,
            authorization: FirebaseAuthorization(.token(Secret(server.token))),
            address: server.url)
    }

    private func source(
        _ server: LoopbackFirebase, _ namespace: FirebaseTemplates.Namespace = .client,
        _ change: (inout FirebaseTemplateSettings) -> Void = { _ in }
    ) throws -> FirebaseTemplateSource {
        var settings = FirebaseTemplateSettings(try templates(server, namespace))
        change(&settings)
        return FirebaseTemplateSource(settings, client: client)
    }

    private static func published(_ value: String) -> String {
        #"{"parameters": {"menu": {"defaultValue": {"value": "\#(value)"}}}}"#
    }

    @Test func `a new version has another ETag, and a pinned version does not change`() async throws {
        let server = try await LoopbackFirebase(template: Self.published("old"))
        let newest = try source(server)
        #expect(try await newest.fetch(since: "etag-shop-1") == .unchanged)
        server.publish(Self.published("new"))
        #expect(try await newest.fetchValues(since: "etag-shop-1").texts == ["menu": "new"])
        let first = try source(server) { $0.version = 1 }
        #expect(try await first.fetchTexts() == ["menu": "old"])
        #expect(server.server.requests.last?.query("versionNumber") == "1")
        #expect(first.identity != newest.identity && first.pollInterval == nil && newest.pollInterval == .seconds(60))
        let missing = try await source(server) { $0.version = 9 }.fetchError()
        #expect(missing?.code == .missing)
        #expect(missing?.description.contains("Firebase has no version 9 of this template") == true)
    }

    @Test func `a server template is evaluated for each context without another request`() async throws {
        let server = try await LoopbackFirebase(serverTemplate: SampleTemplates.server())
        let anybody = try source(server, .server)
        let saved = try await anybody.fetchValues().bytes
        #expect(
            server.server.requests.map(\.path) == ["/v1/projects/shop/namespaces/firebase-server/serverRemoteConfig"])
        func value(_ context: TemplateContext, _ forced: [FlagText: Bool] = [:]) throws -> FlagText? {
            let source = try source(server, .server) {
                $0.context = context
                $0.forcedConditions = forced
            }
            #expect(source.identity == anybody.identity)
            return try source.decode(saved).values["menu"]
        }
        #expect(try value(TemplateContext()) == "plain")
        #expect(try value(TemplateContext(signals: ["plan": "pro"])) == "pro")
        // From the protocol's test vectors: seed 3 with the id three is in the lower half.
        #expect(try value(TemplateContext(randomizationID: "three", signals: ["plan": "pro"])) == "half")
        #expect(try value(TemplateContext(randomizationID: "three"), ["half": false]) == "plain")
        #expect(try value(TemplateContext(), ["pro": true]) == "pro")
        #expect(server.server.requests.count == 1)
    }

    @Test func `a pinned version of a server template has the same conditions`() async throws {
        let server = try await LoopbackFirebase(serverTemplate: SampleTemplates.server())
        let source = try source(server, .server) {
            $0.version = 1
            $0.context = TemplateContext(signals: ["plan": "pro"])
        }
        #expect(try await source.fetchTexts() == ["menu": "pro", "limit": "42"])
        #expect(server.server.requests.last?.path == "/v1/projects/shop/namespaces/firebase-server/remoteConfig")
    }

    @Test func `a project without a template has no flags; a response that is not a template is rejected`() async throws
    {
        let server = try await LoopbackFirebase()
        let source = try source(server)
        #expect(try await source.fetchTexts() == [:])
        #expect(throws: DocumentError.self) { try source.decode(Array(#"{"flags": []}"#.utf8)) }
    }

    @Test(
        arguments: [(400, "rejected the publication"), (403, "may not publish"), (413, "too large"), (422, "fix it")])
    func `a publishing error has Firebase's message, and not the words of reading`(status: Int, words: String)
        async throws
    {
        let server = try await LoopbackFirebase(template: SampleTemplates.client)
        let templates = try templates(server)
        let draft = try TemplateDraft(try await templates.template(client))
        server.server.inject(LoopbackFirebase.failure(status, "INVALID_ARGUMENT", "[VALIDATION_ERROR]: bad"))
        let error = await #expect(throws: SourceError.self) { try await templates.publish(draft, client) }
        #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains("INVALID_ARGUMENT: [VALIDATION_ERROR]: bad") == true)
        #expect(error.map { !$0.sentence.contains("read flags") && !$0.sentence.contains("context") } == true)
        server.server.inject(.json("<html>", status: status))
        let reading = await #expect(throws: SourceError.self) { try await templates.template(client) }
        #expect(reading.map { !$0.sentence.contains("publish") && !$0.sentence.contains("<html>") } == true)
    }

    @Test func `a publish request is not retried if its response is lost`() async throws {
        let server = try await LoopbackFirebase(template: SampleTemplates.client)
        let templates = try templates(server)
        var draft = try TemplateDraft(try await templates.template(client))
        try draft.set("menu", to: "true")
        server.server.forgetRequests()
        server.server.inject(.reset, times: 5)
        _ = await #expect(throws: SourceError.self) { try await templates.publish(draft, client) }
        #expect(server.server.requests.count == 1)
    }

    @Test(arguments: ["", "a/b", "a b", "ü"])
    func `an invalid project id is rejected`(id: String) {
        #expect(throws: SourceError.self) {
            try FirebaseTemplates(of: id, authorization: FirebaseAuthorization(.token(Secret("x"))))
        }
    }
}
#endif
