import FlagModel
import FlagRemote
import FlagSourceOFREP

/// Any server with OpenFeature's remote evaluation protocol.
struct OFREPKind: SourceKind {
    let scheme = "ofrep"
    let title = "a server that speaks OFREP, such as flagd or GO Feature Flag"
    let address = SourceAddress(variable: "OFREP_ENDPOINT")
    let options: [SourceOption] = [
        .context("The evaluation context: an object with a targetingKey.", targetingMember: "targetingKey"),
        .prefix, .changes(ChangeDetection.self), .pollSeconds,
        .allowHTTP, .credential("token", variable: "OFREP_TOKEN"),
        .credential("key", variable: "OFREP_API_KEY"),
        .credential("headers", variable: "OFREP_HEADERS", isRare: true),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let endpoint = settings.address(or: "")
        guard !endpoint.isEmpty else {
            throw SourceError(
                code: .rejected, path: scheme,
                sentence:
                    "no URL; write it after \"ofrep:\", as in ofrep:https://flags.example.com, or "
                    + "set OFREP_ENDPOINT to it")
        }
        var ofrepSettings = try OFREPSettings(baseURL: endpoint)
        ofrepSettings.context =
            try settings.context(EvaluationContext.init, "\"targetingKey\" must be a string") ?? ofrepSettings.context
        ofrepSettings.keyPrefix = settings.keyPrefix
        ofrepSettings.changeDetection = settings.choice("changes") ?? ofrepSettings.changeDetection
        ofrepSettings.pollInterval = settings.pollInterval
        ofrepSettings.bearerToken = try settings.secret("token")
        ofrepSettings.apiKey = try settings.secret("key")
        if let headers = try settings.secret("headers"), let place = settings.credential("headers")?.place {
            ofrepSettings.addHeaders(headers, from: place)
        }
        if settings.readsCredentials, let text = settings.variable("OFREP_TIMEOUT_MS") {
            try ofrepSettings.setTimeout(milliseconds: text)
        }
        return OFREPSource(ofrepSettings, client: client)
    }
}
