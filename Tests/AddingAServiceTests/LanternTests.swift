#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Flags
import TestSupport
import Testing

@testable import FlagWorkspace

/// Adds a service to those of `flagmenu`: Lantern, which exists only here.
@Suite(.limitedParallelism) struct LanternTests {
    /// The built-in kinds and Lantern. A service of `flagmenu` is one more kind in `SourceRegistry.standard`.
    private static let registry = SourceRegistry(kinds: SourceRegistry.standard.kinds + [LanternKind()])
    private let workplace = Workplace()

    /// The response of a Lantern server, with one flag of each kind.
    private static func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard request.path == "/flags" else { return .status(404) }
        guard request.headers["X-Lantern-Key"] == "hush-key" else {
            return .json(#"{"error": "unknown key"}"#, status: 401)
        }
        let version = [("ETag", "\"7\"")]
        if request.headers["If-None-Match"] == "\"7\"" { return .status(304, headers: version) }
        return .json(
            #"""
            {"flags": [
                {"name": "plain", "enabled": true}, {"name": "off", "enabled": false},
                {"name": "color", "enabled": true, "value": "blue"}, {"name": "stars", "enabled": true, "value": 42},
                {"name": "limits", "enabled": true, "value": {"sizes": [1, 2]}},
                {"name": "unused", "enabled": false, "value": "gray"}, {"name": "none", "enabled": null}
            ]}
            """#, headers: version)
    }

    @Test(arguments: SourceCheck.allCases)
    func conformance(check: SourceCheck) async throws {
        let suite = SourceConformanceSuite(
            source: { url, client in
                LanternSource(try LanternSettings(baseURL: url, accessKey: Secret("hush-key")), client: client)
            },
            service: Self.reply,
            values: ["plain": "true", "off": "false", "color": "blue", "stars": "42", "limits": #"{"sizes":[1,2]}"#],
            secrets: ["hush-key"], transport: HTTPTransport())
        try await check.run(on: suite)
    }

    @Test func `a flag that cannot be used is left out with a warning, and another service's response is an error`()
        throws
    {
        let text = #"{"flags": [{"name": "a", "enabled": true}, {"name": "b"}, {"name": "c", "enabled": false}]}"#
        let document = try LanternFlags.document(Array(text.utf8), keyPrefix: "a")
        #expect(document.values.count == 1 && document.values["a"]?.string == "true")
        #expect(document.issues.map { "\($0)" }.first?.contains("flag 2 of the response was left out") == true)
        let error = #expect(throws: DocumentError.self) { try LanternFlags.document(Array("[]".utf8)) }
        #expect(error.map { "\($0)" }?.contains("is this the URL of a Lantern server?") == true)
    }

    /// Writes a project file with the source, and opens the flags as a command does.
    ///
    /// - Parameter key: the value of the usual variable; `nil` if it is not set.
    private func run(_ url: String, key: String?) async throws -> RunStore {
        workplace.write(
            #"{"app": "shop", "source": {"source": "lantern:\#(url)", "environment": "staging", "prefix": "s"}}"#,
            to: "flagmenu.json")
        var variables = workplace.environment
        variables["LANTERN_ACCESS_KEY"] = key
        let environment = Environment(
            variables: variables, workingDirectory: workplace.path, homeDirectory: workplace.home)
        // As `flagmenu trust` does.
        let project = try #require(try ProjectFile.find(environment, Self.registry))
        _ = try ProjectTrust(project.path, environment).allow(project.permissions(environment))
        let settings = try Settings(RunOptions(), environment: environment, registry: Self.registry)
        let run = try RunStore(settings, isPrompting: false)
        run.flags.openRemote()
        _ = await run.flags.remote.fetch(.all)
        return run
    }

    /// The error of the only source, with its remedies.
    private func failure(_ run: RunStore) throws -> (sentence: String, remedies: [String]) {
        let error = try #require(run.flags.remote.current.sources.first?.error)
        return (error.sentence, try #require(run.settings.sources.first).remedies(for: error))
    }

    @Test func `a project file names the service, its options and its credential`() async throws {
        let server = try await LoopbackServer(respond: Self.reply)
        let run = try await run(server.url, key: "hush-key")
        #expect(run.flags[FlagKey("stars", default: 0)] == 42 && !run.flags[FlagKey("plain", default: false)])
        #expect(server.requests.last?.query("env") == "staging")
        #expect(run.settings.sources.first?.title == "lantern:127.0.0.1:\(server.port) (staging)")
    }

    @Test func `a missing key is an error that says where to put it`() async throws {
        let server = try await LoopbackServer(respond: Self.reply)
        let failure = try failure(await run(server.url, key: nil))
        #expect(failure.sentence == "Lantern needs an access key; set LANTERN_ACCESS_KEY")
        #expect(
            failure.remedies == [
                "Put the access key into the variable LANTERN_ACCESS_KEY, or name another place with "
                    + "\"accessKeyVariable\" or \"accessKeyFile\"."
            ])
        #expect(server.requests.isEmpty)
    }

    @Test func `a wrong key is an error with the service's explanation`() async throws {
        let server = try await LoopbackServer(respond: Self.reply)
        let failure = try failure(await run(server.url, key: "hush-wrong"))
        #expect(failure.sentence.contains("unknown key") && !failure.sentence.contains("hush"), "\(failure.sentence)")
        #expect(
            failure.remedies.first?.hasPrefix("Renew the access key in the variable LANTERN_ACCESS_KEY") == true,
            "\(failure.remedies)")
    }
}
#endif
