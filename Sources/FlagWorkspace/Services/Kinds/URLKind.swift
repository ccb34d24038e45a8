import FlagModel
import FlagRemote
import FlagSourceURL

/// A JSON document by its URL.
struct URLKind: SourceKind {
    let scheme = "https"
    let title = "a JSON document on a web server"
    let address = SourceAddress(isURL: true)
    let options: [SourceOption] =
        SourceOption.common + [.pollSeconds, .credential("token", variable: "FLAGMENU_SOURCE_TOKEN")]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var urlSettings = try URLSourceSettings(url: settings.address)
        urlSettings.pollInterval = settings.pollInterval ?? urlSettings.pollInterval
        urlSettings.evaluate = settings.templateEvaluation
        urlSettings.bearerToken = try settings.secret("token")
        return URLSource(urlSettings, client: client)
    }
}
