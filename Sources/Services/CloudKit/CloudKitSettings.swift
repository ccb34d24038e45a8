public import FlagRemote

/// Settings for the public database of a CloudKit container.
public struct CloudKitSettings: Sendable {
    /// The two environments of each container.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// For apps installed by Xcode.
        case development
        /// For apps from TestFlight and the App Store.
        case production
    }

    /// The URL of Apple's web services.
    public static let appleURL = "https://api.apple-cloudkit.com"
    /// The default poll interval: a minute. The database cannot report changes.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The container, such as `iCloud.com.example.shop`.
    public let container: String
    /// The credentials.
    public let credentials: CloudKitCredentials
    /// The environment of the database.
    public var environment = Environment.production
    /// The record type of flags.
    public var recordType = "FeatureStatus"
    /// The field with a flag's key, a string.
    public var nameField = "featureName"
    /// The field with a flag's state: an integer, 0 for off.
    public var activeField = "isActive"
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""
    /// How often the database is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The URL of the web services; Apple's own unless there is a proxy.
    public let baseURL: SourceURL

    /// Settings for a container.
    ///
    /// - Parameters:
    ///   - container: the container's identifier, beginning with `iCloud.`.
    ///   - credentials: the credentials.
    ///   - baseURL: the URL of the web services, to which requests add `/database/1/…`.
    /// - Throws: why the container or the URL is not valid.
    public init(
        container: String, credentials: CloudKitCredentials, baseURL: String = appleURL
    ) throws(SourceError) {
        guard container.hasPrefix("iCloud."), container.utf8.count > 7,
            container.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || ".-_".contains($0) })
        else {
            throw SourceError(
                .rejected, of: RedactedURL.text(container),
                "not a CloudKit container; example: iCloud.com.example.shop")
        }
        (self.container, self.credentials) = (container, credentials)
        self.baseURL = try SourceURL(
            base: baseURL, of: "CloudKit's web services", example: Self.appleURL, insteadUse: "the source's credentials"
        )
    }
}

/// Credentials for the public database: CloudKit accepts either a token or a key.
public enum CloudKitCredentials: Sendable {
    /// A token from the CloudKit Console, sent as `ckAPIToken`, with the permissions of the role World in the schema.
    case apiToken(Secret)
    /// A key that signs each request, with the permissions of the account that created the key in the console.
    case serverKey(CloudKitServerKey)
}
