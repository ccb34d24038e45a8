import FlagModel
package import FlagRemote

extension URLSource {
    /// A JSON document by its URL, as a kind of source.
    ///
    /// - Parameter evaluation: returns the evaluation of documents for the settings of a source.
    package static func kind(
        evaluation: @escaping @Sendable (SourceSettings) -> DocumentEvaluation
    ) -> any SourceKind { URLKind(evaluation: evaluation) }
}

private struct URLKind: SourceKind {
    let evaluation: @Sendable (SourceSettings) -> DocumentEvaluation
    let scheme = "https"
    let isURL = true
    let place = "URL"
    let title = "a JSON document on a web server"
    let targetingMember = "randomization_id"
    let needsCredentials = false
    let commonOptions = SourceOption.common.map(\.name)
    let options: [SourceOption] = [.pollSeconds, .credential("token", variable: "FLAGMENU_SOURCE_TOKEN")]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var urlSettings = try URLSourceSettings(url: settings.address)
        urlSettings.pollInterval = settings.pollInterval ?? urlSettings.pollInterval
        urlSettings.evaluate = evaluation(settings)
        return settings.completing(URLSource(urlSettings, client: client)) { () throws(SourceError) in
            urlSettings.bearerToken = try settings.secret("token")
            return URLSource(urlSettings, client: client)
        }
    }
}
