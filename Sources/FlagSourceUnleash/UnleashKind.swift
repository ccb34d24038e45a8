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
    let rareCredentials = ["backendToken"]
    let options: [SourceOption] = [
        .context, .prefix, .pollSeconds, .usePOST, .allowHTTP, .credential("token", variable: "UNLEASH_FRONTEND_TOKEN"),
        .credential("backendToken", variable: "UNLEASH_BACKEND_TOKEN"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        func source(_ token: Secret, _ backendToken: Secret? = nil) throws(SourceError) -> UnleashSource {
            var unleashSettings = try UnleashSettings(baseURL: settings.address, token: token)
            unleashSettings.backendToken = backendToken
            let words = "its members and properties must be strings, numbers, true or false"
            unleashSettings.context = try settings.context(UnleashContext.init, words) ?? unleashSettings.context
            unleashSettings.keyPrefix = settings.keyPrefix
            if settings.isYes("usePOST") { unleashSettings.requestMethod = .post }
            unleashSettings.refreshInterval = settings.pollInterval ?? unleashSettings.refreshInterval
            return UnleashSource(unleashSettings, client: client)
        }
        return settings.completing(try source(Secret(""))) { () throws(SourceError) in
            guard let token = try settings.secret("token") else {
                throw settings.withoutCredentials(
                    "Unleash needs a token for its front-end API; set UNLEASH_FRONTEND_TOKEN")
            }
            return try source(token, try settings.secret("backendToken"))
        }
    }
}
