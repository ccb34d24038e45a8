import FlagModel
import FlagRemote
import FlagSourceCloudKit

extension ServiceKind {
    /// The public database of a CloudKit container.
    static let cloudKit = ServiceKind(
        scheme: "cloudkit", place: "CONTAINER", title: "the public database of a CloudKit container",
        members: [
            (
                "environment", .text,
                "Which of the container's databases: \(environments.joined(separator: " or ")); the last where none is named."
            ),
            ("recordType", .text, "The records that are flags; FeatureStatus where none is named."),
            ("nameField", .text, "The field with a flag's key; featureName where none is named."),
            ("activeField", .text, "The field that says whether a flag is on; isActive where none is named."),
            ("prefix", .text, "Takes only flags whose keys begin with it."),
            ("pollSeconds", .number(least: 1), "How often the server is asked while the menu is open."),
            ("url", .text, "An address in place of the service's own, such as a proxy's."),
            (
                "privateKeyFile", .text,
                "The PEM file of the server-to-server key; \(keyFileVariable) where none is named."
            ),
        ],
        credentials: [("token", "CLOUDKIT_API_TOKEN"), ("keyID", "CLOUDKIT_KEY_ID")],
        homes: [CloudKitSettings.appleURL],
        keyFile: KeyFile(
            files: [("privateKeyFile", "the PEM file of a server-to-server key")], variable: keyFileVariable,
            companion: "keyID",
            member: { KeyFile.begins($0, with: "-----BEGIN") ? "privateKeyFile" : nil },
            memberOfName: { name in [".pem", ".p8", ".key"].contains(where: name.hasSuffix) ? "privateKeyFile" : nil }),
        idleSettings: idleSettings,
        remedies: remedies,
        usedCredentials: { search in
            keyFile(search).map { [search.credential("keyID"), $0].compactMap { $0 } }
                ?? [search.credential("token")].compactMap { $0 }
        },
        variant: { $0.options?["environment"]?.text?.string },
        source: { setting throws(SourceError) in
            // What is known of it stays in use where a credential is missing, so it is looked for last.
            let known = CloudKitSource(try settings(setting, .apiToken(Secret(""))), client: setting.client)
            return try setting.guarding(known) { () throws(SourceError) in
                CloudKitSource(try settings(setting, try credentials(setting)), client: setting.client)
            }
        })

    @Sendable private static func keyFile(_ search: CredentialSearch) -> CredentialPlace? {
        search.file("private key", member: "privateKeyFile", variable: keyFileVariable)
    }

    @Sendable private static func idleSettings(_ search: CredentialSearch) -> [IdleSetting] {
        guard keyFile(search) == nil else {
            let reason = "the private key is used, with which all can be done that can be done with a token"
            return ["tokenVariable", "tokenFile"].map { IdleSetting(member: $0, reason: reason) }
        }
        let reason =
            "a key's id is sent with a private key, and neither \"privateKeyFile\" nor \(keyFileVariable) names one"
        return ["keyIDVariable", "keyIDFile"].map { IdleSetting(member: $0, reason: reason) }
    }

    @Sendable private static func remedies(_ error: SourceError, _ search: CredentialSearch) -> [String] {
        func setting(_ member: String, _ standard: String) -> String {
            "\"\(member)\" (now \(search.text(member).map { JSONOutput.quoted($0, limit: 60) } ?? standard))"
        }
        // Where nobody has answered there is something else to mend.
        guard error.status != nil else { return [] }
        switch error.code {
        case .rejected:
            let fields = "\(setting("nameField", "featureName")) and \(setting("activeField", "isActive"))"
            return [
                "Correct \(setting("recordType", "FeatureStatus")), \(fields), or make recordName queryable for that type in "
                    + "the CloudKit Console."
            ]
        case .missing:
            return [
                "Correct the container behind \"cloudkit:\", \(setting("environment", "production")) or "
                    + "\(setting("recordType", "FeatureStatus"))."
            ]
        case .refused:
            guard let file = keyFile(search), file.isThere, let id = search.credential("keyID") else { return [] }
            return [
                "Look in the CloudKit Console, Tokens & Keys, whether the id in \(id.place) is that of the private key in "
                    + "\(file.place), and whether that is one of this container and environment."
            ]
        default: return []
        }
    }

    private static let environments = CloudKitSettings.Environment.allCases.map(\.rawValue)
    private static let keyFileVariable = "CLOUDKIT_PRIVATE_KEY_FILE"

    private static func settings(
        _ setting: ServiceSetting, _ credentials: CloudKitCredentials
    ) throws(SourceError) -> CloudKitSettings {
        var settings = try CloudKitSettings(
            container: setting.address, credentials: credentials,
            baseURL: setting.text("url") ?? CloudKitSettings.appleURL)
        if let word = setting.text("environment") {
            guard let environment = CloudKitSettings.Environment(rawValue: word) else {
                throw setting.failure("the member \"environment\" must be \(environments.joined(separator: " or "))")
            }
            settings.environment = environment
        }
        if let name = setting.text("recordType") { settings.recordType = name }
        if let name = setting.text("nameField") { settings.nameField = name }
        if let name = setting.text("activeField") { settings.activeField = name }
        settings.keyPrefix = setting.text("prefix") ?? ""
        if let seconds = setting.number("pollSeconds") { settings.pollInterval = .seconds(seconds) }
        return settings
    }

    /// The key where there is one, else the token: a key can do all that a token can.
    private static func credentials(_ setting: ServiceSetting) throws(SourceError) -> CloudKitCredentials {
        if let file = keyFile(setting.search) {
            let path = try setting.path(of: file)
            guard let id = try setting.secret("keyID") else {
                throw setting.withoutCredentials(
                    "the key in \(path) has an id, which the CloudKit Console shows; set CLOUDKIT_KEY_ID")
            }
            return .serverKey(try CloudKitServerKey(id: id, path: path))
        }
        guard let token = try setting.secret("token") else {
            throw setting.withoutCredentials(
                "CloudKit lets nobody in without credentials; set CLOUDKIT_API_TOKEN, or CLOUDKIT_KEY_ID and \(keyFileVariable)"
            )
        }
        return .apiToken(token)
    }
}
