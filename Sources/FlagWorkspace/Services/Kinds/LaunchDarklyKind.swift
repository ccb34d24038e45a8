import FlagModel
import FlagRemote
import FlagSourceLaunchDarkly

/// LaunchDarkly, as its SDKs for browsers and mobile apps request it.
struct LaunchDarklyKind: SourceKind {
    let scheme = "launchdarkly"
    let title = "an environment of LaunchDarkly, by its client-side ID"
    let address = SourceAddress(
        placeholder: "ENV", homes: [LaunchDarklySettings.defaultBaseURL, LaunchDarklySettings.defaultStreamURL])
    let options: [SourceOption] = [
        .context(targetingMember: "key"), .prefix, .changes(ChangeDetection.self), .pollSeconds,
        SourceOption("url", .text, "A Relay Proxy or a dev server instead of LaunchDarkly's own."),
        SourceOption("streamURL", .text, "The streaming URL, if it is not the same."),
        .yesOrNo("useREPORT", "Whether the context is sent in the request body."),
        .allowHTTP, .credential("mobileKey", variable: "LAUNCHDARKLY_MOBILE_KEY"),
        .credential("secureModeHash", variable: "LAUNCHDARKLY_SECURE_MODE_HASH"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var darklySettings = try LaunchDarklySettings(
            environment: settings.address, baseURL: settings.text("url"), streamURL: settings.text("streamURL"))
        let words = "it needs a \"key\", and each of several kinds needs its own"
        darklySettings.context = try settings.context(LaunchDarklyContext.init, words) ?? darklySettings.context
        darklySettings.keyPrefix = settings.keyPrefix
        darklySettings.usesReport = settings.isYes("useREPORT")
        darklySettings.changeDetection = settings.choice("changes") ?? darklySettings.changeDetection
        darklySettings.pollInterval = settings.pollInterval ?? darklySettings.pollInterval
        darklySettings.mobileKey = try settings.secret("mobileKey")
        darklySettings.secureModeHash = try settings.secret("secureModeHash")
        return LaunchDarklySource(darklySettings, client: client)
    }
}
