import FlagModel
import FlagRemote
import FlagSourceCloudKit

/// The public database of a CloudKit container.
struct CloudKitKind: SourceKind {
    let scheme = "cloudkit"
    let title = "the public database of a CloudKit container"
    let address = SourceAddress(placeholder: "CONTAINER", homes: [CloudKitSettings.appleURL])
    let options: [SourceOption] = [
        SourceOption(
            "environment", .text,
            "The container's database: \(environments); the last is the default."),
        SourceOption("recordType", .text, "The record type of flags; FeatureStatus by default."),
        SourceOption("nameField", .text, "The field with a flag's key; featureName by default."),
        SourceOption("activeField", .text, "The field that says whether a flag is on; isActive by default."),
        .prefix, .pollSeconds, .url, .allowHTTP,
        SourceOption(
            "privateKeyFile", .path,
            "The PEM file of the server-to-server key; \(keyFileVariable) by default.",
            keyFile: KeyFile(
                title: "the PEM file of a server-to-server key", variable: keyFileVariable,
                hasContent: { $0.trimmed.hasPrefix("-----BEGIN") })),
        .credential("token", variable: "CLOUDKIT_API_TOKEN"), .credential("keyID", variable: "CLOUDKIT_KEY_ID"),
    ]

    private static let environments =
        CloudKitSettings.Environment.allCases.map(\.rawValue).joined(separator: " or ")

    private static let keyFileVariable = "CLOUDKIT_PRIVATE_KEY_FILE"

    private func privateKey(_ settings: SourceSettings) -> CredentialPlace? {
        settings.file("private key", member: "privateKeyFile", variable: Self.keyFileVariable)
    }

    package func usedCredentials(_ settings: SourceSettings) -> [CredentialPlace] {
        let key = privateKey(settings)
        return [settings.credential(key == nil ? "token" : "keyID"), key].compactMap { $0 }
    }

    package func unusedOptions(_ settings: SourceSettings) -> [String: String] {
        guard privateKey(settings) == nil else {
            let reason = "the private key is used, which replaces a token"
            return ["tokenVariable": reason, "tokenFile": reason]
        }
        let reason =
            "a key's id is sent with a private key, and neither \"privateKeyFile\" nor \(Self.keyFileVariable) names one"
        return ["keyIDVariable": reason, "keyIDFile": reason]
    }

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var cloudKitSettings = try CloudKitSettings(
            container: settings.address, credentials: try credentials(settings),
            baseURL: settings.text("url") ?? CloudKitSettings.appleURL)
        if settings.text("environment") != nil {
            guard let environment: CloudKitSettings.Environment = settings.choice("environment") else {
                throw settings.failure("the member \"environment\" must be \(Self.environments)")
            }
            cloudKitSettings.environment = environment
        }
        cloudKitSettings.recordType = settings.text("recordType") ?? cloudKitSettings.recordType
        cloudKitSettings.nameField = settings.text("nameField") ?? cloudKitSettings.nameField
        cloudKitSettings.activeField = settings.text("activeField") ?? cloudKitSettings.activeField
        cloudKitSettings.keyPrefix = settings.keyPrefix
        cloudKitSettings.pollInterval = settings.pollInterval ?? cloudKitSettings.pollInterval
        return CloudKitSource(cloudKitSettings, client: client)
    }

    /// The key if there is one, else the token: a key has at least the permissions of a token.
    private func credentials(_ settings: SourceSettings) throws(SourceError) -> CloudKitCredentials {
        guard settings.readsCredentials else { return .apiToken(Secret("")) }
        if let file = privateKey(settings) {
            let path = try settings.path(of: file)
            let id = try settings.secret("keyID", "the key in \(path) has an id, which the CloudKit Console shows")
            return .serverKey(try CloudKitServerKey(id: id, path: path))
        }
        guard let token = try settings.secret("token") else {
            throw settings.withoutCredentials(
                "CloudKit needs credentials; set CLOUDKIT_API_TOKEN, or CLOUDKIT_KEY_ID and \(Self.keyFileVariable)")
        }
        return .apiToken(token)
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        // Without a response, neither the credentials nor the address are the cause.
        guard error.status != nil else { return [] }
        func option(_ name: String, _ defaultValue: String) -> String {
            "\"\(name)\" (now \(settings.text(name).map { JSONOutput.quoted($0, limit: 60) } ?? defaultValue))"
        }
        let recordType = option("recordType", "FeatureStatus")
        switch error.code {
        case .rejected:
            return [
                "Fix \(recordType), \(option("nameField", "featureName")) and \(option("activeField", "isActive")), or "
                    + "make recordName queryable for that type in the CloudKit Console."
            ]
        case .missing:
            return [
                "Fix the container after \"cloudkit:\", \(option("environment", "production")) or \(recordType)."
            ]
        case .refused:
            guard let file = settings.usedCredentials.first(where: \.isKeyFile), file.isThere,
                let id = settings.credential("keyID")
            else {
                return []
            }
            return [
                "Check in the CloudKit Console, Tokens & Keys, that the id in \(id.place) is of the private key in "
                    + "\(file.place), and that it is one of this container and environment."
            ]
        default: return []
        }
    }
}
