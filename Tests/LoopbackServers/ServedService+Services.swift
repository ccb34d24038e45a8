#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// The users that get targeted values.
    private static let plan = LoopbackAudience("plan", "pro", "max")

    /// Features of each type, one of them in a segment and one with an override for an identity.
    static func flagsmith(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackFlagsmith.Flag] = [
            .init("demo"), .init("off", false, value: #""unused""#), .init("title", value: #""Hello""#),
            .init("digits", value: #""42""#), .init("limit", value: "42"), .init("switch", value: "true"),
            .init("screen", value: #""{\"sizes\": [1, 2]}""#),
            .init("color", value: #""gray""#, variant: ("blue", #""navy""#)),
            .init("checkout", false, value: #""classic""#, segment: (plan, .init(true, #""express""#))),
            .init("own", false, identityOverride: ("user-2", .init(true, "1"))),
            .init("internal", isServerKeyOnly: true),
        ]
        let loopback = try await LoopbackFlagsmith(flags)
        return ServedService(
            server: loopback.server, facts: [("environmentKey", "client-side-key"), ("serverKey", "ser.key")],
            changes: [
                "set": { loopback.set([.init("demo", false), .init("limit", value: "7"), .init("added")]) },
                "disable": { loopback.disable() },
            ])
    }

    /// Features for SDKs that evaluate, and for remote evaluation. One feature targets an audience, and one is an
    /// experiment.
    static func growthBook(_ arguments: [String]) async throws -> ServedService {
        let features: [LoopbackGrowthBook.Feature] = [
            .init("demo", "true"), .init("color", #""blue""#), .init("limit", "42"), .init("ratio", "7.5"),
            .init("screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
            .init("checkout", #""classic""#, targeted: (plan, #""express""#)),
            .init("layout", #""list""#, variations: [#""list""#, #""grid""#, #""map""#]),
        ]
        let loopback = try await LoopbackGrowthBook(features)
        return ServedService(
            server: loopback.server,
            facts: [("clientKey", .string(loopback.clientKey)), ("remoteKey", .string(loopback.remoteKey))],
            changes: ["update": { loopback.set([.init("demo", "false"), .init("added", #""new""#)]) }])
    }

    /// Flags for servers and for apps, with a stream. One flag targets an audience. Some other flags have a reason.
    static func launchDarkly(_ arguments: [String]) async throws -> ServedService {
        let loopback = try await LoopbackLaunchDarkly(
            [
                .init("demo", "true"), .init("color", #""blue""#), .init("limit", "42"), .init("ratio", "7.5"),
                .init("screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
                .init("list", #"["a", 1]"#), .init("legacy", "false", variation: 1, reason: #"{"kind":"OFF"}"#),
                .init(
                    "paid", #""no""#, variation: 2,
                    reason: #"{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"parent"}"#),
                .init("checkout", #""classic""#, targeted: (plan, #""express""#)),
            ],
            mobileKey: "mobile-key", sdkKey: "sdk-key")
        return ServedService(
            server: loopback.server,
            facts: [("sdkKey", "sdk-key"), ("mobileKey", "mobile-key"), ("environment", "client-side-id")],
            stream: LoopbackLaunchDarkly.serverStream,
            changes: [
                "patch": { await loopback.patch(.init("color", #""green""#, version: 2)) },
                "stale": { await loopback.patch(.init("color", #""yellow""#, version: 1)) },
                "delete": { await loopback.delete("limit", version: 2) },
                "put": {
                    await loopback.put([.init("demo", "false", version: 9), .init("added", #""new""#, version: 9)])
                },
                "silently": { loopback.replace([.init("demo", "true", version: 10)]) },
                "heartbeat": { await loopback.heartbeat() },
            ])
    }

    /// Flags of persons and groups, with variants and payloads. One flag is only for apps, and one cannot be evaluated.
    static func posthog(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackPostHog.Flag] = [
            .init("demo"), .init("dark-mode", false), .init("color", variant: "blue", payload: ##"{"hex": "#00f"}"##),
            .init("limit", payload: "42"), .init("greeting", variant: "formal", payload: #""Good day""#),
            .init("checkout", variant: "express", audience: plan),
            .init("invoices", audience: LoopbackAudience("$group_key", "acme"), groupType: "company"),
            .init("seats", payload: "[1,2]", audience: LoopbackAudience("size", "large"), groupType: "company"),
            .init("app-only", runtime: "client"),
        ]
        let loopback = try await LoopbackPostHog(flags, key: "phc_1234567890")
        return ServedService(
            server: loopback.server, facts: [("key", "phc_1234567890")],
            changes: [
                "update": { loopback.set([.init("demo", false), .init("color", variant: "green", payload: "true")]) },
                "fail": { loopback.set([.init("demo", isFailing: true), .init("color", variant: "red")]) },
                "limit": { loopback.limitQuota() },
            ])
    }

    /// Flags for SDKs, with a stream, and for clients of an evaluator.
    static func split(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackSplit.Flag] = [
            .init("demo", "on", config: #"{"c": 1}"#, sets: ["s1"]), .init("color", "blue"),
            .init("legacy", "off", config: "3"),
            .init(
                "checkout", "classic", config: "plain", sets: ["s1"],
                targeted: (plan, "express", #"{"steps": [1]}"#)),
        ]
        let loopback = try await LoopbackSplit(flags, token: "evaluator-token", sdkKey: "sdk-key-1234")
        return ServedService(
            server: loopback.server, facts: [("sdkKey", "sdk-key-1234"), ("token", "evaluator-token")],
            stream: LoopbackSplit.stream,
            changes: [
                "update": { await loopback.update(.init("color", "green", config: "{}")) },
                "set": {
                    await loopback.set([.init("demo", "v2", sets: ["s1"]), .init("color", "red"), .init("added", "on")])
                },
            ])
    }

    /// Gates, configs, experiments and layers for apps and for servers. Some target an audience.
    static func statsig(_ arguments: [String]) async throws -> ServedService {
        let gates: [LoopbackStatsig.Gate] = [
            .init("demo"), .init("dark_mode", false), .init("checkout", audience: plan),
            .init("own", audience: LoopbackAudience("userID", "user-2")),
        ]
        let configs: [LoopbackStatsig.Config] = [
            .init("colors", .dynamicConfig, ##"{"hex": "#000"}"##, targeted: (plan, ##"{"sizes": [1, 2]}"##, nil)),
            .init(
                "price", .experiment, #"{"price": 7.5}"#, group: "Control",
                targeted: (plan, #"{"price": 9}"#, "Test")),
            .init("later", .experiment, "{}"), .init("home", .layer, #"{"title": "Hi", "count": 3}"#),
        ]
        let colors = LoopbackStatsig.Config("colors", .dynamicConfig, ##"{"hex": "#0f0"}"##)
        let loopback = try await LoopbackStatsig(
            gates, configs, clientKey: "client-loopback", serverKey: "secret-loopback")
        return ServedService(
            server: loopback.server, facts: [("clientKey", "client-loopback"), ("serverKey", "secret-loopback")],
            changes: ["on": { loopback.set([.init("demo", false), .init("dark_mode")], [colors]) }])
    }

    /// Toggles for servers and for apps. Two toggles target an audience.
    static func unleash(_ arguments: [String]) async throws -> ServedService {
        let toggles: [LoopbackUnleash.Toggle] = [
            .init("demo", true), .init("dark_mode", false),
            .init("color", true, variant: "blue", payload: (type: "json", value: ##"{"hex": "#00f"}"##)),
            .init("limit", true, variant: "many", payload: (type: "number", value: "42")),
            .init("plain", true, variant: "only", payload: (type: "csv", value: "1,2")),
            .init("checkout", true, variant: "express", audience: plan),
            .init("own", true, audience: LoopbackAudience("userId", "user-2")),
        ]
        let color = LoopbackUnleash.Toggle("color", true, variant: "green", payload: (type: "string", value: "#0f0"))
        let loopback = try await LoopbackUnleash(toggles)
        return ServedService(
            server: loopback.server,
            facts: [("token", "*:development.client"), ("frontendToken", "*:development.frontend")],
            changes: ["on": { loopback.set([.init("demo", false), .init("dark_mode", true), color]) }])
    }

    /// Flags of each type. The Python client reads them one by one and requires a variant.
    static func ofrep(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackOFREP.Flag] = [
            .init(
                "discount-banner", "true", reason: "TARGETING_MATCH", variant: "enabled",
                metadata: #"{"team": "ecommerce", "priority": 2, "ratio": 0.5, "beta": true}"#),
            .init("theme-color", #""blue""#, variant: "default"), .init("max-items", "42", variant: "many"),
            .init("ratio", "7.5", reason: "SPLIT", variant: "b"),
            .init("login-screen", #"{"label": "Welcome", "sizes": [1, 2]}"#, variant: "plain"),
            .init("odd/key ü", "false", reason: "DISABLED", variant: "off"),
            .init("checkout", #""classic""#, variant: "a", targeted: (plan, #""express""#, "b")),
            .init("broken", nil, failure: ("INVALID_CONTEXT", "The field \"email\" is missing")),
        ]
        let loopback = try await LoopbackOFREP(flags, token: "token", apiKey: "key")
        @Sendable func refuse(_ status: Int, _ body: String) {
            loopback.server.inject(.json(body, status: status), times: .max)
        }
        @Sendable func throttle(_ seconds: Int, times: Int) {
            loopback.server.inject(.status(429, headers: [("Retry-After", "\(seconds)")]), times: times)
        }
        return ServedService(
            server: loopback.server, facts: [("token", .string("token")), ("apiKey", .string("key"))],
            stream: LoopbackOFREP.stream,
            changes: [
                "off": {
                    let off = LoopbackOFREP.Flag("discount-banner", "false", reason: "DISABLED", variant: "disabled")
                    await loopback.set([off] + flags.dropFirst())
                },
                "refuseContext": {
                    refuse(400, #"{"errorCode": "INVALID_CONTEXT", "errorDetails": "the age is no text"}"#)
                },
                "forbid": { loopback.server.inject(.status(403), times: .max) },
                "fail": { refuse(500, #"{"errorDetails": "the rules cannot be read"}"#) },
                "recover": { loopback.server.recover() },
                "throttleForLong": { throttle(90, times: .max) }, "throttle": { throttle(1, times: 1) },
            ])
    }

    /// A project with a client template, a server template, a service account and an app.
    static func firebase(_ arguments: [String]) async throws -> ServedService {
        let apps = try await LoopbackFirebaseApps([:])
        let loopback = try await LoopbackFirebase(
            template: #"{"parameters": {"welcome": {"defaultValue": {"value": "hi"}, "valueType": "STRING"}}}"#,
            serverTemplate: SampleTemplates.server(), apps: apps)
        return ServedService(
            server: loopback.server,
            facts: [
                ("project", .string(loopback.project)), ("account", .raw(loopback.serviceAccountFile())),
                ("app", .raw(apps.googleServicesFile)),
            ],
            changes: [
                "publish": { loopback.publish(SampleTemplates.server("fancy"), in: .server) },
                "revoke": { loopback.revokeTokens() },
                "unavailable": { loopback.server.inject(.status(503)) },
            ])
    }
}
#endif
