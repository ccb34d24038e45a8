#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTeamEtcd
import FlagTesting
import TestSupport
import Testing

@Suite("etcd: conformance suite", .limitedParallelism)
struct EtcdConformanceTests {
    private static func text(_ text: String) -> String { Base64Text.text(text.utf8) }

    /// One value, for requests with the token.
    private static func reply(to request: LoopbackRequest) -> LoopbackReply {
        if request.path == "/v3/auth/authenticate" { return .json(#"{"token": "hush-token"}"#) }
        guard request.headers["Authorization"] == "hush-token" else {
            return .json(#"{"error": "etcdserver: invalid auth token", "code": 16}"#, status: 401)
        }
        return .json(
            #"{"header": {"cluster_id": "7", "revision": "9"}, "kvs": [{"key": "\#(text("p/flags/greeting"))","#
                + #" "value": "\#(text(#"{"value": "hello", "by": "ana"}"#))", "mod_revision": "4"}], "count": "1"}"#)
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
