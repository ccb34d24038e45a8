#if Network
import FlagModel
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Services that evaluate flags for a context, read by the built program.
@Suite(.limitedParallelism) struct EvaluatorServiceTests {
    private let workplace = Workplace()

    @Test func `Unleash toggles are read with the token and the project's settings`() async throws {
        let server = try await LoopbackUnleash(
            [.init("banner", variant: "blue", payload: ("json", #"{"a":1}"#))], frontendToken: "*:dev.hush")
        workplace.writeSource(
            "unleash:\(server.url)", #""context": {"userId": "u1", "environment": "dev"}, "prefix": "ban""#)
        let token = ["UNLEASH_FRONTEND_TOKEN": "*:dev.hush"]
        #expect(workplace.flagmenu("get banner", environment: token).text == "true\n")
        #expect(workplace.flagmenu("get banner.payload").text == "{\"a\":1}\n", "cached values need no credentials")
        #expect(workplace.flagmenu("explain banner").text.contains("variant blue"))
        #expect(server.server.requests.first?.query("userId") == "u1")
        workplace.flagmenu("fetch").expect(2, errors: "Unleash needs a token")
        workplace.flagmenu("fetch", environment: ["UNLEASH_FRONTEND_TOKEN": "*:dev.wrong"]).expect(
            5, errors: "requires an API token")
        workplace.writeSource("unleash:\(server.url)", #""usePOST": "yes""#)
        #expect(workplace.flagmenu("fetch", environment: token).status == 0)
        #expect(server.server.requests.last?.method == "POST")
    }

    @Test func `LaunchDarkly flags are read with a client-side ID or a mobile key`() async throws {
        let server = try await LoopbackLaunchDarkly(
            [.init("banner", "true"), .init("size", "42")], mobileKey: "mob-hush", secureModeHash: "hush-hash")
        workplace.writeSource(
            "launchdarkly:client-side-id", #""url": "\#(server.url)", "context": {"key": "u1"}, "useREPORT": "yes""#)
        workplace.flagmenu("get banner").expect(5, errors: "401")
        let hash = ["LAUNCHDARKLY_SECURE_MODE_HASH": "hush-hash"]
        #expect(workplace.flagmenu("get banner", environment: hash).text == "true\n")
        #expect(server.server.requests.last?.method == "REPORT")
        #expect(workplace.flagmenu("explain banner").text.contains("variation 0, FALLTHROUGH"))
        let mobile = workplace.flagmenu("fetch", environment: ["LAUNCHDARKLY_MOBILE_KEY": "mob-hush"]).expect(0)
        #expect(server.server.requests.last?.path == "/msdk/evalx/context", "\(mobile.errorText)")
        #expect(workplace.flagmenu("get size").text == "42\n", "the mobile key reads the same flags")
    }

    @Test func `Split treatments are read with their configurations`() async throws {
        let server = try await LoopbackSplit(
            [.init("banner", "on", config: "3"), .init("plan", "gold", trafficType: "account")], token: "hush")
        let token = ["SPLIT_EVALUATOR_AUTH_TOKEN": "hush"]
        workplace.writeSource("split:\(server.url)", #""matchingKey": "u1", "attributes": {"plan": "pro"}"#)
        #expect(workplace.flagmenu("get banner", environment: token).text == "on\n")
        #expect(workplace.flagmenu("get banner.config").text == "3\n")
        #expect(server.server.requests.last?.query("attributes") == #"{"plan":"pro"}"#)
        workplace.writeSource(
            "split:\(server.url)", #""matchingKey": "a1", "trafficType": "account", "flagNames": "plan,none""#)
        #expect(workplace.flagmenu("get plan", environment: token).text == "gold\n")
        #expect(server.server.requests.last?.query("split-names") == "plan,none")
    }

    @Test func `Statsig gates and configs are read with the client key and the project's settings`() async throws {
        let plan = LoopbackAudience("plan", "pro")
        let server = try await LoopbackStatsig(
            [.init("banner", audience: plan)], [.init("price", .experiment, #"{"a":1}"#, group: "Control")],
            clientKey: "client-hush", isAuthorizedForNames: false)
        let key = ["STATSIG_CLIENT_KEY": "client-hush"]
        workplace.writeSource(
            "statsig:\(server.url)", #""context": {"userID": "u1", "plan": "pro"}, "environment": "staging""#)
        workplace.flagmenu("get banner", environment: key).expect(2, errors: "hashes the names")
        let sent = String(decoding: server.server.requests.last?.body ?? [], as: UTF8.self)
        #expect(sent.contains(#""userID":"u1""#) && sent.contains(#""tier":"staging""#), "\(sent)")
        workplace.writeSource("statsig:\(server.url)", #""context": {"plan": "pro"}, "names": "banner, price,none""#)
        #expect(workplace.flagmenu("get banner", environment: key).text == "true\n")
        #expect(workplace.flagmenu("get price").text == "{\"a\":1}\n", "cached values need no credentials")
        #expect(workplace.flagmenu("explain price").text.contains("group Control, rule everyone"))
        #expect(workplace.flagmenu("context plan=free", environment: key).status == 0)
        #expect(workplace.flagmenu("get banner", environment: key).text == "false\n")
        #expect(workplace.flagmenu("context environment=development", environment: key).status == 0)
        #expect(workplace.flagmenu("get banner", environment: key).text == "false\n")
        let last = String(decoding: server.server.requests.last?.body ?? [], as: UTF8.self)
        #expect(last.contains(#""tier":"development""#) && last.contains(#""plan":"free""#), "\(last)")
        workplace.flagmenu("context userId=ana", environment: key).expect(2, errors: "use \"userID\"")
        workplace.flagmenu("fetch").expect(2, errors: "set STATSIG_CLIENT_KEY")
        workplace.flagmenu("doctor", environment: ["STATSIG_CLIENT_KEY": "client-other"]).expect(
            text: "401", "-> Check in the Statsig console")
        workplace.flagmenu("fetch", environment: ["STATSIG_CLIENT_KEY": "secret-hush"]).expect(
            2, errors: "use a client key")
    }

    @Test func `GrowthBook features are evaluated for the attributes, here or by the server`() async throws {
        let server = try await LoopbackGrowthBook(
            [
                .init("banner", "true"),
                .init("checkout", #""a""#, targeted: (LoopbackAudience("plan", "pro"), #""b""#)),
            ], clientKey: "sdk-hush-local", remoteKey: "sdk-hush-remote")
        func run(_ line: String, _ key: String?) -> CommandRun {
            workplace.flagmenu(line, environment: ["GROWTHBOOK_CLIENT_KEY": key])
        }
        workplace.writeSource("growthbook:\(server.url)", #""attributes": {"id": "u1", "plan": "pro"}"#)
        #expect(run("get banner", "sdk-hush-local").text == "true\n")
        #expect(run("get checkout", nil).text == "b\n", "cached values need no credentials")
        #expect(run("explain checkout", nil).text.contains("rule 1"))
        #expect(run("context plan=free", "sdk-hush-local").status == 0)
        #expect(run("get checkout", "sdk-hush-local").text == "a\n")
        #expect(run("context --restore plan", "sdk-hush-local").status == 0)
        run("fetch", nil).expect(2, errors: "needs the client key", without: "hush")
        run("fetch", "sdk-hush-wrong").expect(5, errors: "Invalid API Key", without: "hush")
        workplace.writeSource("growthbook:\(server.url)", #""attributes": {"plan": "pro"}, "remoteEval": "yes""#)
        #expect(run("get checkout", "sdk-hush-remote").text == "b\n")
        #expect(server.server.requests.last?.path == "/api/eval/sdk-hush-remote")
        run("doctor", "sdk-hush-local").expect(text: "remoteEval", without: "hush")
        workplace.expectNotSaved("hush")
    }

    @Test func `the context command sets the keys and attributes of Split requests`() async throws {
        let server = try await LoopbackSplit([.init("banner", "on")], token: "hush")
        workplace.writeSource("split:\(server.url)", #""attributes": {"plan": "pro"}"#)
        func run(_ line: String) -> CommandRun {
            workplace.flagmenu(line, environment: ["SPLIT_EVALUATOR_AUTH_TOKEN": "hush"])
        }
        #expect(run("context").text.contains("matchingKey  flagmenu\n  plan         pro\n"))
        #expect(run("context matchingKey=42 bucketingKey=7 plan=max").status == 0)
        #expect(run("get banner").text == "on\n")
        let requested = server.server.requests.last
        #expect(requested?.query("keys") == #"[{"matchingKey":"42","trafficType":"user","bucketingKey":"7"}]"#)
        #expect(requested?.query("attributes") == #"{"plan":"max"}"#)
        #expect(run("context").text.contains("matchingKey   42   yours"), "\(run("context").text)")
        run("context key=ana").expect(2, errors: "has no \"key\"; use \"matchingKey\"")
        #expect(run("context matchingKey=").errorText.contains("\"matchingKey\" must be a non-empty string"))
        #expect(run("context --restore matchingKey").status == 0)
        #expect(run("context --unset bucketingKey").status == 0 && run("fetch").status == 0)
        let last = server.server.requests.last?.query("keys")
        #expect(last == #"[{"matchingKey":"flagmenu","trafficType":"user"}]"#, "\(last ?? "")")
    }

    @Test func `PostHog flags are read with their payloads, for a person and a group`() async throws {
        let server = try await LoopbackPostHog(
            [
                .init("banner", variant: "blue", payload: #"{"a": 1}"#, audience: LoopbackAudience("plan", "max")),
                .init("invoices", audience: LoopbackAudience("$group_key", "acme"), groupType: "company"),
                .init("server-only", runtime: "server"),
            ], key: "phc_hush")
        let key: [String: String?] = ["POSTHOG_PROJECT_API_KEY": "phc_hush"]
        workplace.writeSource(
            "posthog:\(server.url)",
            #""context": {"distinct_id": "ana", "plan": "max", "groups": {"company": "acme"}}, "useGeoIP": "no", "#
                + #""evaluationRuntime": "client""#)
        #expect(workplace.flagmenu("get banner", environment: key).text == "blue\n")
        #expect(workplace.flagmenu("get banner.payload").text == "{\"a\":1}\n", "cached values need no credentials")
        #expect(workplace.flagmenu("get invoices").text == "true\n")
        #expect(workplace.flagmenu("explain banner").text.contains("Matched condition set 1"))
        #expect(!workplace.flagmenu("list").text.contains("server-only"))
        let body = server.server.requests.last?.json
        #expect(body?["distinct_id"]?.text == "ana" && body?["geoip_disable"]?.bool == true)
        #expect(server.server.requests.allSatisfy { $0.method == "POST" && $0.path == "/flags/" }, "no event is sent")
        workplace.flagmenu("fetch").expect(2, errors: "PostHog needs the project API key")
        workplace.flagmenu("fetch", environment: ["POSTHOG_PROJECT_API_KEY": "phc_wrong"]).expect(
            5, errors: "invalid or has expired")
        let personal = workplace.flagmenu("fetch", environment: ["POSTHOG_PROJECT_API_KEY": "phx_hush"]).expect(
            errors: "personal API key", without: "hush")
        #expect(personal.status != 0)
        server.limitQuota(true)
        workplace.flagmenu("fetch", environment: key).expect(5, errors: "billing limit")
    }

    @Test func `PostHog's host and the person can be set by the environment and the context command`() async throws {
        let server = try await LoopbackPostHog([.init("banner", audience: LoopbackAudience("plan", "max"))])
        workplace.writeSource("posthog:", #""context": {"person_properties": {"plan": "pro"}}"#)
        func run(_ line: String) -> CommandRun {
            workplace.flagmenu(
                line, environment: ["POSTHOG_PROJECT_API_KEY": "phc_loopback", "POSTHOG_HOST": server.url])
        }
        #expect(run("get banner").text == "false\n", "\(run("get banner").errorText)")
        #expect(run("context distinct_id=42 plan=max").status == 0)
        #expect(run("get banner").text == "true\n")
        #expect(server.server.requests.last?.json?["distinct_id"]?.text == "42")
        run("context distinctId=ana").expect(2, errors: "has no \"distinctId\"; use \"distinct_id\"")
    }

    @Test func `Flagsmith features are read for an identity that is not stored`() async throws {
        let server = try await LoopbackFlagsmith(
            [
                .init("banner", value: #""{\"a\":1}""#),
                .init("checkout", false, segment: (LoopbackAudience("plan", "max"), .init(true, "3"))),
            ], environmentKey: "hush-key")
        workplace.writeSource(
            "flagsmith:\(server.url)/api/v1/", #""context": {"identifier": "ana", "traits": {"plan": "pro"}}"#)
        let key = ["FLAGSMITH_ENVIRONMENT_KEY": "hush-key"]
        #expect(workplace.flagmenu("get banner banner.value checkout", environment: key).text.hasPrefix("true\n{"))
        #expect(server.server.requests.last?.json?["identifier"]?.text == "ana")
        workplace.flagmenu("context identity=eva", environment: key).expect(2, errors: "use \"identifier\"")
        #expect(workplace.flagmenu("context plan=max", environment: key).status == 0)
        #expect(workplace.flagmenu("get checkout.value", environment: key).text == "3\n")
        #expect(workplace.flagmenu("explain checkout").text.contains("segment override"))
        #expect(server.storedIdentities.isEmpty)
        workplace.flagmenu("fetch").expect(2, errors: "Flagsmith needs the key")
        workplace.flagmenu("fetch", environment: ["FLAGSMITH_ENVIRONMENT_KEY": "hush-wrong"]).expect(
            5, errors: "missing Environment Key", without: "hush")
        workplace.flagmenu("doctor", environment: ["FLAGSMITH_ENVIRONMENT_KEY": "hush-wrong"]).expect(
            text: "-> Check the environment key in the variable FLAGSMITH_ENVIRONMENT_KEY")
    }

    @Test(arguments: [
        ("flagsmith:flagsmith.example.com", "", "example: https://flagsmith.example.com"),
        ("flagsmith:https://x", #""context": {"plan": ["pro"]}"#, "\"context\" cannot be used"),
        ("unleash:unleash.example.com", "", "example: https://unleash.example.com"),
        ("unleash:https://x", #""context": {"userId": []}"#, "\"context\" cannot be used"),
        ("launchdarkly:", "", "client-side ID"),
        ("launchdarkly:e", #""context": {"kind": "user"}"#, "\"context\" cannot be used"),
        ("split:localhost:7548", "", "example: http://localhost:7548"),
        ("posthog:us.i.posthog.com", "", "example: https://us.i.posthog.com"),
        ("posthog:https://x", #""context": {"distinct_id": []}"#, "\"context\" cannot be used"),
        ("statsig:featureassets.org", "", "example: https://featureassets.org/v1"),
        ("statsig:client-0123456789abcdefghij", "", "a key never belongs in a name"),
        ("statsig:", #""context": {"userId": "u1"}"#, "write \"userID\""),
        ("growthbook:cdn.growthbook.io", "", "example: https://cdn.growthbook.io"),
    ])
    func `an invalid source or context is an error`(source: String, members: String, words: String) {
        workplace.writeSource(source, members)
        #expect(workplace.flagmenu("list").expect(errors: words).status != 0)
    }
}
#endif
