import FlagModel
import FlagRemote
import FlagSourceStatsig

/// Statsig, as its SDKs for browsers and mobile apps request it.
struct StatsigKind: SourceKind {
    let scheme = "statsig"
    let title = "Statsig, as its SDKs for apps request it"
    let address = SourceAddress(homes: [StatsigSettings.defaultBaseURL])
    let options: [SourceOption] = [
        .context(
            "The user: userID, email, country, custom, customIDs and so on.", targetingMember: "userID",
            mistakes: StatsigUser.mistakes),
        .contextText("environment", "The environment tier, such as staging; production by default."),
        SourceOption(
            "names", .text,
            "The names of gates, configs, experiments and layers, separated by commas; required if Statsig hashes "
                + "names."),
        .prefix, .pollSeconds, .allowHTTP, .credential("clientKey", variable: variable),
    ]

    private static let variable = "STATSIG_CLIENT_KEY"

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        guard !RedactedURL.isSDKKey(settings.address) else {
            throw settings.failure(
                "a key never belongs in a name; use the name \"statsig:\" alone, and set \(Self.variable) to the key")
        }
        try settings.requireContextTexts()
        let clientKey = try settings.secret("clientKey", "Statsig needs a client key")
        var statsigSettings = try StatsigSettings(
            clientKey: clientKey, baseURL: settings.address(or: StatsigSettings.defaultBaseURL))
        let words =
            "its members must be strings, numbers, true, false or lists of strings; write \"userID\", "
            + "\"customIDs\" and \"stableID\", and set \"environment\" beside \"context\""
        statsigSettings.user = try settings.context(StatsigUser.init, words) ?? statsigSettings.user
        statsigSettings.environment = settings.text("environment")
        statsigSettings.names = settings.list("names")
        statsigSettings.keyPrefix = settings.keyPrefix
        statsigSettings.pollInterval = settings.pollInterval ?? statsigSettings.pollInterval
        return StatsigSource(statsigSettings, client: client)
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        // Without a response, neither the credentials nor the address are the cause.
        guard error.status != nil else { return [] }
        return switch error.code {
        case .refused:
            settings.usedCredentials.filter(\.isThere).map { key in
                "Check in the Statsig console, under API keys, that the key in \(key.place) is a client key, and that "
                    + "it is enabled for this project and environment."
            }
        case .missing:
            [
                "Fix the URL after \"statsig:\": use the URL of the SDKs' option \"api\", such as "
                    + "\(StatsigSettings.defaultBaseURL)."
            ]
        default: []
        }
    }
}
