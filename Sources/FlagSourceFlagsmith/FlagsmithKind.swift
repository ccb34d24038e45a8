import FlagModel
package import FlagRemote

extension FlagsmithSource {
    /// Flagsmith, as its clients request it, as a kind of source.
    package static let kind: any SourceKind = FlagsmithKind()
}

private struct FlagsmithKind: SourceKind {
    let scheme = "flagsmith"
    let place = "URL"
    let title = "Flagsmith or its Edge Proxy"
    let targetingMember = "identifier"
    let homes = [FlagsmithSettings.defaultBaseURL]
    let contextMistakes = ["identity": "identifier"]
    let options: [SourceOption] = [
        SourceOption("context", .object, "The identity: an object with an identifier and traits."), .prefix,
        .pollSeconds, .allowHTTP, .credential("environmentKey", variable: "FLAGSMITH_ENVIRONMENT_KEY"),
    ]

    func remedies(for error: SourceError, _ settings: SourceSettings) -> [String] {
        switch error.status {
        case 400, 422:
            return ["Check the identifier and the traits in \"context\"; the Edge Proxy requires an identifier."]
        // The server responds with status 403 to an unknown key, and to every key if the plan's limit is exceeded
        // (`EnvironmentKeyAuthentication` in `api/environments/authentication.py` of Flagsmith/flagsmith).
        case 401, 403:
            let place = settings.credential("environmentKey")?.place ?? "the variable FLAGSMITH_ENVIRONMENT_KEY"
            return [
                "Check the environment key in \(place): Flagsmith shows the key in the environment's settings, under "
                    + "SDK Keys.",
                "If the organisation is disabled from serving flags, the request limit of its plan is exceeded: change "
                    + "the plan in Flagsmith.",
            ]
        case 404: return ["Check the URL: the source appends \"/api/v1\" to it."]
        default: return []
        }
    }

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        try settings.source(
            needing: "environmentKey",
            orFailWith: "Flagsmith needs the key of an environment; set FLAGSMITH_ENVIRONMENT_KEY"
        ) { key throws(SourceError) in
            var flagsmithSettings = try FlagsmithSettings(
                baseURL: settings.address(or: FlagsmithSettings.defaultBaseURL), environmentKey: key)
            let words = "its identifier must not be empty, and its traits must be strings, numbers, true or false"
            flagsmithSettings.context =
                try settings.context(FlagsmithContext.init, words) ?? flagsmithSettings.context
            flagsmithSettings.keyPrefix = settings.keyPrefix
            flagsmithSettings.pollInterval = settings.pollInterval ?? flagsmithSettings.pollInterval
            return FlagsmithSource(flagsmithSettings, client: client)
        }
    }
}
