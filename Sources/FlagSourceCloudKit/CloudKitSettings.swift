public import FlagRemote

/// How the public database of a CloudKit container is asked.
public struct CloudKitSettings: Sendable, Hashable {
    /// The two databases that each container has.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// For apps that Xcode installs.
        case development
        /// For apps from TestFlight and the App Store.
        case production
    }

    /// Where Apple's web services are.
    public static let appleURL = "https://api.apple-cloudkit.com"
    /// How often the database is asked, as it cannot tell of changes; a minute.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The container, such as `iCloud.com.example.shop`.
    public let container: String
    /// What lets us in.
    public let credentials: CloudKitCredentials
    /// Which of its databases.
    public var environment = Environment.production
    /// The records that are flags.
    public var recordType = "FeatureStatus"
    /// The field with a flag's key, a string.
    public var nameField = "featureName"
    /// The field that says whether it is on: an integer, 0 for off.
    public var activeField = "isActive"
    /// Flags whose keys do not begin with it are passed over; empty for none.
    public var keyPrefix = ""
    /// How often the database is asked; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// Where the web services are; Apple's own, unless a proxy stands before them.
    public let baseURL: SourceURL

    /// Settings for a container.
    ///
    /// - Parameters:
    ///   - container: its identifier, with `iCloud.` in front.
    ///   - credentials: what lets us in.
    ///   - baseURL: where the web services are; the path of the protocol, `/database/1/…`, is added.
    /// - Throws: what is wrong with the container or the address.
    public init(
        container: String, credentials: CloudKitCredentials, baseURL: String = appleURL
    ) throws(SourceError) {
        func failure(_ path: String, _ sentence: String) -> SourceError {
            SourceError(code: .rejected, path: path, sentence: sentence)
        }
        guard container.hasPrefix("iCloud."), container.utf8.count > 7,
            container.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || ".-_".contains($0) })
        else {
            throw failure(
                RedactedURL.text(container), "not a CloudKit container; example: iCloud.com.example.shop")
        }
        guard let url = SourceURL(baseURL), url.userInfo == nil, url.query == nil else {
            throw failure(
                RedactedURL.text(baseURL), "not a valid URL of CloudKit's web services; leave it out to use Apple's")
        }
        self.container = container
        self.credentials = credentials
        self.baseURL = url
    }
}
