import FlagModel
import FlagRemote
import FlagSourceOFREP

extension ServiceKind {
    /// Any server that speaks OpenFeature's remote evaluation protocol.
    static let ofrep = ServiceKind(
        scheme: "ofrep", place: "URL", title: "a server that speaks OFREP, such as flagd or GO Feature Flag",
        members: [
            ("context", .object, "For whom flags are evaluated: an object with a targetingKey."),
            ("prefix", .text, "Takes only flags whose keys begin with it."),
            (
                "changes", .choice(OFREPSettings.ChangeDetection.allCases.map(\.rawValue)),
                "How changes are noticed while the menu is open."
            ),
            ("pollSeconds", .number(least: 1), "How often the server is asked while the menu is open."),
        ],
        credentials: [("token", "OFREP_TOKEN"), ("key", "OFREP_API_KEY")],
        addressVariable: addressVariable,
        needsCredentials: false,
        source: { setting throws(SourceError) in
            let named = setting.address.isEmpty ? setting.variable(addressVariable) : setting.address
            guard let address = named else {
                throw SourceError(
                    code: .rejected, path: "ofrep",
                    sentence:
                        "no address is named; write it behind \"ofrep:\", as in ofrep:https://flags.example.com, or "
                        + "set \(addressVariable) to it")
            }
            var settings = try OFREPSettings(baseURL: address)
            if let context = setting.member("context") {
                guard let known = EvaluationContext(context) else {
                    throw setting.objection("its \"targetingKey\" is a text")
                }
                settings.context = known
            }
            settings.keyPrefix = setting.text("prefix") ?? ""
            if let word = setting.text("changes"), let detection = OFREPSettings.ChangeDetection(rawValue: word) {
                settings.changeDetection = detection
            }
            settings.pollInterval = setting.number("pollSeconds").map { .seconds($0) }
            // What is known of it stays in use where a credential is missing, so it is looked for last.
            let known = OFREPSource(settings, client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                settings.bearerToken = try setting.secret("token")
                settings.apiKey = try setting.secret("key")
                if let headers = setting.variable("OFREP_HEADERS") { try settings.addHeaders(headers) }
                if let text = setting.variable("OFREP_TIMEOUT_MS") { try settings.setTimeout(milliseconds: text) }
                return OFREPSource(settings, client: setting.client)
            }
        })

    private static let addressVariable = "OFREP_ENDPOINT"
}
