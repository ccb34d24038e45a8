#if Network
import FlagModel
import FlagRemote
import FlagSourceGrowthBook
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("GrowthBook: with a loopback server", .limitedParallelism)
struct GrowthBookServerTests {
    private func source(
        _ url: String, key: String, _ change: (inout GrowthBookSettings) -> Void = { _ in }
    ) throws -> GrowthBookSource {
        var settings = try GrowthBookSettings(baseURL: url, clientKey: Secret(key))
        change(&settings)
        return GrowthBookSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func values(_ source: GrowthBookSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let values = try source.decode(bytes).values
        return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
    }

    @Test(arguments: GrowthBookSettings.Evaluation.allCases)
    func `local and remote evaluation give the same values`(evaluation: GrowthBookSettings.Evaluation) async throws {
        let server = try await LoopbackGrowthBook([
            .init("a", "true"), .init("b", #""x""#, targeted: (LoopbackAudience("plan", "pro"), #""y""#)),
        ])
        let key = evaluation == .local ? server.clientKey : server.remoteKey
        for (plan, expected) in [("pro", "y"), ("free", "x")] {
            let source = try source(server.url, key: key) {
                $0.attributes = ContextAttributes(["plan": .text(plan)])
                $0.evaluation = evaluation
            }
            #expect(try await values(source) == ["a": "true", "b": expected])
        }
        let request = server.server.requests.last
        #expect(request?.path == (evaluation == .local ? "/api/features/sdk-local" : "/api/eval/sdk-remote"))
        #expect(request?.json?["attributes"]?["plan"]?.text == (evaluation == .local ? nil : "free"))
    }

    @Test func `the cached response of a remote evaluation contains no attributes`() async throws {
        let server = try await LoopbackGrowthBook([
            .init("b", #""x""#, targeted: (LoopbackAudience("id", "ana"), #"{"c":1}"#))
        ])
        let source = try source(server.url, key: server.remoteKey) {
            $0.attributes = ContextAttributes(["id": "ana"])
            $0.evaluation = .remote
        }
        guard case .values(let bytes, let version) = try await source.fetch(since: nil) else {
            Issue.record("the response has no values")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == #"{"features":{"b":{"defaultValue":{"c":1}}}}"# && version == nil)
    }

    @Test(
        arguments: [
            ("sdk-wrong", GrowthBookSettings.Evaluation.local), ("sdk-remote", .local), ("sdk-local", .remote),
        ])
    func `an error quotes what GrowthBook says, without the client key`(
        key: String, evaluation: GrowthBookSettings.Evaluation
    ) async throws {
        let server = try await LoopbackGrowthBook([.init("a", "true")])
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url, key: key) { $0.evaluation = evaluation }.fetch(since: nil)
        }
        #expect(error?.code == .rejected && error?.status == 400, "\(String(describing: error))")
        #expect(error?.sentence.contains("and says \"") == true && error?.sentence.contains("sdk-") == false)
    }

    @Test func `an error of the GrowthBook Proxy shows no client key`() async throws {
        let server = try await LoopbackGrowthBook([])
        server.server.inject(.json(#"{"status": 400, "error": "Failed to get features for sdk-hush"}"#, status: 400))
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url, key: "sdk-hush").fetch(since: nil)
        }
        #expect(error?.sentence.contains(#"and says "Failed to get features for ***""#) == true)
    }

    @Test func `encrypted features are a malformed response, so the cached values stay in use`() async throws {
        let server = try await LoopbackServer { _ in .json(#"{"features": {}, "encryptedFeatures": "aXY=.Y2k="}"#) }
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url, key: "sdk-a").fetch(since: nil)
        }
        #expect(error?.code == .malformed && error?.sentence.contains("turn off encryption") == true)
    }

    @Test func `a change of a feature changes the version of the response`() async throws {
        let server = try await LoopbackGrowthBook([.init("a", "true")])
        let source = try source(server.url, key: server.clientKey)
        guard case .values(_, let version) = try await source.fetch(since: nil) else {
            Issue.record("the response has no values")
            return
        }
        #expect(try await source.fetch(since: version) == .unchanged)
        server.set([.init("a", "false")])
        guard case .values(let bytes, let newVersion) = try await source.fetch(since: version) else {
            Issue.record("the change is not reported")
            return
        }
        #expect(try source.decode(bytes).values["a"] == "false" && newVersion != version)
    }
}
#endif
