import FlagModel
import FlagRemote
import FlagSourceLaunchDarkly
import FlagSourceSplit
import FlagSourceUnleash

extension ServiceKind {
    /// Unleash's front-end API.
    static let unleash = ServiceKind(
        scheme: "unleash", place: "URL", title: "Unleash, by its front-end API",
        members: [
            contextMember, prefixMember, pollMember,
            ("usePOST", .choice(["yes", "no"]), "Whether the context travels in the body of the request."),
        ],
        credentials: [("token", "UNLEASH_FRONTEND_TOKEN")],
        source: { setting throws(SourceError) in
            func settings(_ token: Secret?) throws(SourceError) -> UnleashSettings {
                var settings = try UnleashSettings(baseURL: setting.address, token: token ?? Secret(""))
                if let context = setting.member("context") {
                    guard let known = UnleashContext(context) else {
                        throw setting.objection(
                            "its members are texts, numbers or true and false, as are its properties")
                    }
                    settings.context = known
                }
                settings.keyPrefix = setting.text("prefix") ?? ""
                if setting.text("usePOST") == "yes" { settings.question = .post }
                if let seconds = setting.number("pollSeconds") { settings.refreshInterval = .seconds(seconds) }
                return settings
            }
            let known = UnleashSource(try settings(nil), client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                guard let token = try setting.secret("token") else {
                    throw setting.withoutCredentials(
                        "Unleash lets nobody in without a token for its front-end API; set UNLEASH_FRONTEND_TOKEN")
                }
                return UnleashSource(try settings(token), client: setting.client)
            }
        })

    /// LaunchDarkly, as its SDKs for browsers and mobile apps ask it.
    static let launchDarkly = ServiceKind(
        scheme: "launchdarkly", place: "ENV", title: "an environment of LaunchDarkly, by its client-side ID",
        members: [
            contextMember, prefixMember, changesMember, pollMember,
            ("url", .text, "A Relay Proxy or a dev server in place of LaunchDarkly's own."),
            ("streamURL", .text, "Where that one streams, if not at the same address."),
            ("useREPORT", .choice(["yes", "no"]), "Whether the context travels in the body of the request."),
        ],
        credentials: [
            ("mobileKey", "LAUNCHDARKLY_MOBILE_KEY"), ("secureModeHash", "LAUNCHDARKLY_SECURE_MODE_HASH"),
        ],
        homes: [LaunchDarklySettings.defaultBaseURL, LaunchDarklySettings.defaultStreamURL],
        needsCredentials: false,
        source: { setting throws(SourceError) in
            var settings = try LaunchDarklySettings(
                environment: setting.address, baseURL: setting.text("url"), streamURL: setting.text("streamURL"))
            if let context = setting.member("context") {
                guard let known = LaunchDarklyContext(context) else {
                    throw setting.objection("it needs a \"key\", and each of several kinds one of its own")
                }
                settings.context = known
            }
            settings.keyPrefix = setting.text("prefix") ?? ""
            settings.usesReport = setting.text("useREPORT") == "yes"
            if let word = setting.text("changes"), let known = LaunchDarklySettings.ChangeDetection(rawValue: word) {
                settings.changeDetection = known
            }
            if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
            // What is known of it stays in use where a credential is missing, so it is looked for last.
            let known = LaunchDarklySource(settings, client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                settings.mobileKey = try setting.secret("mobileKey")
                settings.secureModeHash = try setting.secret("secureModeHash")
                return LaunchDarklySource(settings, client: setting.client)
            }
        })

    /// Split's evaluator.
    static let split = ServiceKind(
        scheme: "split", place: "URL", title: "an evaluator of Split (Harness FME)",
        members: [
            prefixMember, pollMember,
            ("matchingKey", .text, "For whom flags are evaluated."),
            ("trafficType", .text, "What kind of key that is; user where none is named."),
            ("bucketingKey", .text, "What percentages go by, if not that key."),
            ("attributes", .object, "Facts that the conditions of flags go by."),
            ("flagNames", .text, "Asks only for these flags, separated by commas."),
            ("flagSets", .text, "Asks only for the flags of these sets, separated by commas."),
            ("environment", .text, "Tells environments apart where the token chooses one of several."),
            ("usePOST", .choice(["yes", "no"]), "Whether the context travels in the body of the request."),
        ],
        credentials: [("token", "SPLIT_EVALUATOR_AUTH_TOKEN")],
        homes: [SplitSettings.defaultBaseURL],
        contextTexts: splitKeyMembers,
        contextMistakes: ["key": "matchingKey"],
        idleSettings: { search in
            search.text("flagSets") == nil
                ? [] : [IdleSetting(member: "flagNames", reason: "the flags are asked for by \"flagSets\"")]
        },
        variant: { $0.options?["environment"]?.text?.string },
        source: { setting throws(SourceError) in
            var settings = try SplitSettings(
                baseURL: setting.address.isEmpty ? SplitSettings.defaultBaseURL : setting.address)
            for (name, _) in splitKeyMembers {
                guard let value = setting.member(name), value.text?.isEmpty ?? true else { continue }
                throw setting.objection("its \"\(name)\" is a text that is not empty")
            }
            settings.keys = [
                SplitKey(
                    setting.text("matchingKey") ?? SplitKey.defaultMatchingKey,
                    trafficType: setting.text("trafficType") ?? SplitKey.defaultTrafficType,
                    bucketingKey: setting.text("bucketingKey"))
            ]
            if let attributes = setting.member("attributes").flatMap({ SplitAttributes($0) }) {
                settings.attributes = attributes
            }
            func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
            if let names = setting.text("flagNames") { settings.selection = .names(list(names)) }
            if let sets = setting.text("flagSets") { settings.selection = .sets(list(sets)) }
            settings.environment = setting.text("environment")
            settings.keyPrefix = setting.text("prefix") ?? ""
            if setting.text("usePOST") == "yes" { settings.question = .post }
            if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
            let known = SplitSource(settings, client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                settings.token = try setting.secret("token")
                return SplitSource(settings, client: setting.client)
            }
        })

    private static let splitKeyMembers: [(name: String, standard: String?)] = [
        ("matchingKey", SplitKey.defaultMatchingKey), ("bucketingKey", nil), ("trafficType", nil),
    ]
    private static let contextMember: Member = ("context", .object, "For whom flags are evaluated.")
    private static let prefixMember: Member = ("prefix", .text, "Takes only flags whose keys begin with it.")
    private static let changesMember: Member = (
        "changes", .choice(LaunchDarklySettings.ChangeDetection.allCases.map(\.rawValue)),
        "How changes are noticed while the menu is open."
    )
    private static let pollMember: Member = (
        "pollSeconds", .number(least: 1), "How often the server is asked while the menu is open."
    )
}

extension ServiceSetting {
    /// That a context is none.
    func objection(_ words: String) -> SourceError {
        failure("the member \"context\" cannot be used: \(words)")
    }
}
