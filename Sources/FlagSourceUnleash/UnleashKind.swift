import FlagModel
package import FlagRemote

extension UnleashSource {
    /// Unleash's front-end API, as a kind of source.
    package static let kind: any SourceKind = UnleashKind()
}

private struct UnleashKind: SourceKind {
    let scheme = "unleash"
    let place = "URL"
    let title = "Unleash, by its front-end API"
    let targetingMember = "userId"
    let rareCredentials = ["backendToken"]
    let options: [SourceOption] = [
        .context, .prefix, .pollSeconds, .usePOST, .allowHTTP, .credential("token", variable: "UNLEASH_FRONTEND_TOKEN"),
        .credential("backendToken", variable: "UNLEASH_BACKEND_TOKEN"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        try settings.source(
            needing: "token", orFailWith: "Unleash needs a token for its front-end API; set UNLEASH_FRONTEND_TOKEN"
        ) { token throws(SourceError) in
            var unleashSettings = try UnleashSettings(baseURL: settings.address, token: token)
            if !token.isEmpty { unleashSettings.backendToken = try settings.secret("backendToken") }
            let words = "its members and properties must be strings, numbers, true or false"
            unleashSettings.context = try settings.context(UnleashContext.init, words) ?? unleashSettings.context
            unleashSettings.keyPrefix = settings.keyPrefix
            if settings.isYes("usePOST") { unleashSettings.requestMethod = .post }
            unleashSettings.refreshInterval = settings.pollInterval ?? unleashSettings.refreshInterval
            return UnleashSource(unleashSettings, client: client)
        }
    }
}
