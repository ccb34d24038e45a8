import FlagModel
import FlagRemote
import FlagSourceURL

extension ServiceKind {
    /// A JSON document by its URL. Template conditions in it are evaluated as in a file.
    static let url = ServiceKind(
        scheme: "https", isURL: true, place: "URL", title: "a JSON document on a web server",
        members: [
            ("pollSeconds", .number(least: 1), "How often the server is asked while the menu is open.")
        ],
        credentials: [("token", "FLAGMENU_SOURCE_TOKEN")],
        needsCredentials: false,
        evaluationMembers: SourceMembers.evaluation.map(\.name),
        source: { setting throws(SourceError) in
            var settings = try URLSourceSettings(url: setting.address)
            if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
            settings.refinement = TemplateFile.refinement(setting.search.setting)
            // Cached values stay in use if the token is missing, so it is read last.
            let known = URLSource(settings, client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                settings.bearerToken = try setting.secret("token")
                return URLSource(settings, client: setting.client)
            }
        })
}
