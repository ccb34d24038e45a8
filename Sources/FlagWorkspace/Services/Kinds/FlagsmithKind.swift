import FlagModel
import FlagRemote
import FlagSourceFlagsmith

/// Flagsmith, as its clients request it.
struct FlagsmithKind: SourceKind {
    let scheme = "flagsmith"
    let title = "Flagsmith or its Edge Proxy"
    let address = SourceAddress(homes: [FlagsmithSettings.defaultBaseURL])
    let options: [SourceOption] = [
        .context(
            "The identity: an object with an identifier and traits.", targetingMember: "identifier",
            mistakes: ["identity": "identifier"]),
        .prefix, .pollSeconds, .allowHTTP, .credential("environmentKey", variable: "FLAGSMITH_ENVIRONMENT_KEY"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let key = try settings.secret("environmentKey", "Flagsmith needs the key of an environment")
        var flagsmithSettings = try FlagsmithSettings(
            baseURL: settings.address(or: FlagsmithSettings.defaultBaseURL), environmentKey: key)
        let words = "its identifier must not be empty, and its traits must be strings, numbers, true or false"
        flagsmithSettings.context =
            try settings.context(FlagsmithContext.init, words) ?? flagsmithSettings.context
        flagsmithSettings.keyPrefix = settings.keyPrefix
        flagsmithSettings.pollInterval = settings.pollInterval ?? flagsmithSettings.pollInterval
        return FlagsmithSource(flagsmithSettings, client: client)
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        switch error.status {
        case 400, 422:
            ["Check the identifier and the traits in \"context\"; the Edge Proxy requires an identifier."]
        // The server responds with status 403 to an unknown key, and to every key if the plan's limit is exceeded
        // (`EnvironmentKeyAuthentication` in `api/environments/authentication.py` of Flagsmith/flagsmith).
        case 401, 403:
            [
                "Check the environment key in \(settings.credential("environmentKey")?.place ?? "its variable"): "
                    + "Flagsmith shows the key in the environment's settings, under SDK Keys.",
                "If the organisation is disabled from serving flags, the request limit of its plan is exceeded: change "
                    + "the plan in Flagsmith.",
            ]
        case 404: ["Check the URL: the source appends \"/api/v1\" to it."]
        default: []
        }
    }
}
