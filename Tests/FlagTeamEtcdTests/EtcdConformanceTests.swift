#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTeamEtcd
import FlagTesting
import TestSupport
import Testing

/// Etcd: conformance suite.
@Suite(.limitedParallelism)
struct EtcdConformanceTests {
    /// One value, for requests with the token.
    private static func reply(to request: LoopbackRequest) -> LoopbackReply {
        if request.path == "/v3/auth/authenticate" { return .json(#"{"token": "hush-token"}"#) }
        guard request.headers["Authorization"] == "hush-token" else {
            return .json(#"{"error": "etcdserver: invalid auth token", "code": 16}"#, status: 401)
        }
        let value = #"{"value": "hello", "by": "ana"}"#
        return .json(etcdRange([(Array("p/flags/greeting".utf8), value, 4)], revision: 9))
    }

    @Test(arguments: SourceCheck.allCases)
    func conformance(check: SourceCheck) async throws {
        var suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try EtcdSettings("etcd://\(url.dropFirst("http://".count))/p")
                (settings.user, settings.password) = (Secret("ana"), Secret("hush-password"))
                return EtcdTeam(settings, client: client).source
            },
            service: { Self.reply(to: $0) }, values: ["greeting": "hello"], secrets: ["hush-token", "hush-password"],
            transport: HTTPTransport(), hasVersions: false)
        (suite.requestsPerFetch, suite.neverRetries) = (2, true)
        suite.isFaultTarget = { $0.path != "/v3/auth/authenticate" }
        try await check.run(on: suite)
    }
}
#endif
