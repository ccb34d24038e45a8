import FlagModel
package import FlagRemote

extension LaunchDarklySource {
    /// LaunchDarkly, as its SDKs for browsers and mobile apps request it.
    package static let kind: any SourceKind = LaunchDarklyKind()
}

private struct LaunchDarklyKind: SourceKind {
    let scheme = "launchdarkly"
    let place = "ENV"
    let title = "an environment of LaunchDarkly, by its client-side ID"
    let homes = [LaunchDarklySettings.defaultBaseURL, LaunchDarklySettings.defaultStreamURL]
    let needsCredentials = false
    let options: [SourceOption] = [
        .context, .prefix, .changes(LaunchDarklySettings.ChangeDetection.self), .pollSeconds,
        SourceOption("url", .text, "A Relay Proxy or a dev server instead of LaunchDarkly's own."),
        SourceOption("streamURL", .text, "The streaming URL, if it is not the same."),
        SourceOption("useREPORT", .choice(["yes", "no"]), "Whether the context travels in the body of the request."),
        .credential("mobileKey", variable: "LAUNCHDARKLY_MOBILE_KEY"),
        .credential("secureModeHash", variable: "LAUNCHDARKLY_SECURE_MODE_HASH"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var own = try LaunchDarklySettings(
            environment: settings.address, baseURL: settings.text("url"), streamURL: settings.text("streamURL"))
        let words = "it needs a \"key\", and each of several kinds needs its own"
        own.context = try settings.context(LaunchDarklyContext.init, words) ?? own.context
        own.keyPrefix = settings.keyPrefix
        own.usesReport = settings.isYes("useREPORT")
        own.changeDetection = settings.choice("changes") ?? own.changeDetection
        own.pollInterval = settings.pollInterval ?? own.pollInterval
        return settings.completing(LaunchDarklySource(own, client: client)) { () throws(SourceError) in
            own.mobileKey = try settings.secret("mobileKey")
            own.secureModeHash = try settings.secret("secureModeHash")
            return LaunchDarklySource(own, client: client)
        }
    }
}
