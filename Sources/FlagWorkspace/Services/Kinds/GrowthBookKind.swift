import FlagModel
import FlagRemote
import FlagSourceGrowthBook

/// GrowthBook, with an SDK connection.
struct GrowthBookKind: SourceKind {
    let scheme = "growthbook"
    let title = "GrowthBook, by the client key of an SDK connection"
    let address = SourceAddress(homes: [GrowthBookSettings.defaultBaseURL])
    let options: [SourceOption] = [
        .context(
            "The attributes that features are evaluated for, such as id.", named: "attributes", targetingMember: "id"),
        .yesOrNo("remoteEval", "Whether the server evaluates the features."),
        .prefix, .pollSeconds, .allowHTTP, .credential("clientKey", variable: "GROWTHBOOK_CLIENT_KEY"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let clientKey = try settings.secret("clientKey", "GrowthBook needs the client key of an SDK connection")
        var bookSettings = try GrowthBookSettings(
            baseURL: settings.address(or: GrowthBookSettings.defaultBaseURL), clientKey: clientKey)
        if let value = settings.member("attributes") {
            guard let attributes = ContextAttributes(value) else {
                throw settings.failure("the member \"attributes\" must be an object")
            }
            bookSettings.attributes = attributes
        }
        if settings.isYes("remoteEval") { bookSettings.evaluation = .remote }
        bookSettings.keyPrefix = settings.keyPrefix
        bookSettings.pollInterval = settings.pollInterval ?? bookSettings.pollInterval
        return GrowthBookSource(bookSettings, client: client)
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        // GrowthBook responds with status 400 to an unknown key, and to a request of the wrong kind of evaluation
        // (`getFeaturesPublic` in `packages/back-end/src/controllers/features.ts` of growthbook/growthbook).
        guard error.status == 400 else { return [] }
        return [
            "Check that \(settings.credential("clientKey")?.place ?? "the key") has the client key of an SDK connection in "
                + "GrowthBook, and that \"remoteEval\" is set as this connection requires."
        ]
    }
}
