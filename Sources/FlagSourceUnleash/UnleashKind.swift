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
    let options: [SourceOption] = [
        .context, .prefix, .pollSeconds, .usePOST, .credential("token", variable: "UNLEASH_FRONTEND_TOKEN"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        func source(_ token: Secret) throws(SourceError) -> UnleashSource {
            var own = try UnleashSettings(baseURL: settings.address, token: token)
            let words = "its members and properties must be strings, numbers, true or false"
            own.context = try settings.context(UnleashContext.init, words) ?? own.context
            own.keyPrefix = settings.keyPrefix
            if settings.isYes("usePOST") { own.question = .post }
            own.refreshInterval = settings.pollInterval ?? own.refreshInterval
            return UnleashSource(own, client: client)
        }
        return settings.completing(try source(Secret(""))) { () throws(SourceError) in
            guard let token = try settings.secret("token") else {
                throw settings.withoutCredentials(
                    "Unleash needs a token for its front-end API; set UNLEASH_FRONTEND_TOKEN")
            }
            return try source(token)
        }
    }
}
