import FlagRemote

@testable import FlagWorkspace

/// Lantern, as `flagmenu` opens it by name.
struct LanternKind: SourceKind {
    let scheme = "lantern"
    let title = "a Lantern server"
    let address = SourceAddress()
    let options: [SourceOption] = [
        SourceOption("environment", .text, "The environment whose flags are read; production by default."),
        .prefix, .pollSeconds, .allowHTTP, .credential("accessKey", variable: "LANTERN_ACCESS_KEY"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let key = try settings.secret("accessKey", "Lantern needs an access key")
        var lanternSettings = try LanternSettings(baseURL: settings.address, accessKey: key)
        lanternSettings.environment = settings.text("environment") ?? lanternSettings.environment
        lanternSettings.keyPrefix = settings.keyPrefix
        lanternSettings.pollInterval = settings.pollInterval ?? lanternSettings.pollInterval
        return LanternSource(lanternSettings, client: client)
    }
}
