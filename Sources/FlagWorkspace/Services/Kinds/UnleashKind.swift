import FlagModel
import FlagRemote
import FlagSourceUnleash

/// Unleash's front-end API.
struct UnleashKind: SourceKind {
    let scheme = "unleash"
    let title = "Unleash, by its front-end API"
    let address = SourceAddress()
    let options: [SourceOption] = [
        .context(targetingMember: "userId"), .prefix, .pollSeconds, .usePOST, .allowHTTP,
        .credential("token", variable: "UNLEASH_FRONTEND_TOKEN"),
        .credential("backendToken", variable: "UNLEASH_BACKEND_TOKEN", isRare: true),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let token = try settings.secret("token", "Unleash needs a token for its front-end API")
        var unleashSettings = try UnleashSettings(baseURL: settings.address, token: token)
        unleashSettings.backendToken = try settings.secret("backendToken")
        let words = "its members and properties must be strings, numbers, true or false"
        unleashSettings.context = try settings.context(UnleashContext.init, words) ?? unleashSettings.context
        unleashSettings.keyPrefix = settings.keyPrefix
        if settings.isYes("usePOST") { unleashSettings.requestMethod = .post }
        unleashSettings.refreshInterval = settings.pollInterval ?? unleashSettings.refreshInterval
        return UnleashSource(unleashSettings, client: client)
    }
}
