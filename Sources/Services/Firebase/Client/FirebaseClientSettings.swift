public import FlagModel
public import FlagRemote

/// Settings for the values of an app, which are fetched as Firebase's SDK in that app fetches them.
public struct FirebaseClientSettings: Sendable {
    /// The minimum fetch interval of the SDK: 12 hours.
    public static let defaultPollInterval = Duration.seconds(43_200)
    /// The version of the SDK whose protocol is used (firebase-ios-sdk).
    static let sdkVersion = "12.19.0"
    private static let (fetchAddress, installationsAddress, realtimeAddress) = (
        "https://firebaseremoteconfig.googleapis.com", "https://firebaseinstallations.googleapis.com",
        "https://firebaseremoteconfigrealtime.googleapis.com"
    )

    /// The app.
    public let app: FirebaseApp
    /// The device and the user, which Firebase evaluates conditions for.
    public var device = FirebaseDevice()
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""
    /// How changes are noticed.
    public var changeDetection = ChangeDetection.events
    /// How often the service is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The SHA-1 of the certificate that an Android app is signed with, in the format of the SDK for Android: 40
    /// hexadecimal digits in capitals. API keys that are restricted to Android apps require it.
    public private(set) var androidCertificate: String?
    /// The URL of the service for values.
    public let baseURL: SourceURL
    let installationsURL: SourceURL
    let realtimeURL: SourceURL

    /// Settings for an app.
    ///
    /// - Parameter address: a URL that replaces those of all Firebase services, for tests.
    /// - Throws: an error if the address is not valid.
    public init(_ app: FirebaseApp, address: String? = nil) throws(SourceError) {
        self.app = app
        baseURL = try FirebaseTemplates.url(address ?? Self.fetchAddress)
        installationsURL = try FirebaseTemplates.url(address ?? Self.installationsAddress)
        realtimeURL = try FirebaseTemplates.url(address ?? Self.realtimeAddress)
    }

    /// The source's name in messages.
    public var name: String { "firebase:\(app.projectID)" }

    /// Sets ``androidCertificate`` from a fingerprint as `keytool`, `gradlew signingReport` and Firebase's console show
    /// it, with or without colons.
    ///
    /// - Throws: an error if the text is not a SHA-1 fingerprint.
    public mutating func setAndroidCertificate(_ fingerprint: String) throws(SourceError) {
        let digits = fingerprint.filter { $0 != ":" }.uppercased()
        guard digits.utf8.count == 40, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }) else {
            throw SourceError(
                .rejected, of: name,
                "the fingerprint of the app's certificate must be its SHA-1, 40 hexadecimal digits with colons or "
                    + "without, as \"gradlew signingReport\" shows it")
        }
        androidCertificate = digits
    }

    /// The headers of every request. Some of them name the app, as an API key may be restricted to some apps.
    var clientHeaders: SourceHeaders {
        var headers = SourceHeaders()
        headers.set("X-Goog-Api-Key", secret: app.apiKey)
        if let bundle = app.bundleID {
            headers[app.appID.contains(":android:") ? "X-Android-Package" : "X-Ios-Bundle-Identifier"] = bundle
        }
        if let androidCertificate { headers["X-Android-Cert"] = androidCertificate }
        return headers
    }
}

/// The facts about the device and the user that an app sends, for conditions.
public struct FirebaseDevice: Sendable, Hashable {
    /// The members of the request that describe the device, by their protocol names.
    public static let names = [
        "country_code", "language_code", "platform_version", "time_zone", "app_version", "app_build", "first_open_time",
    ]

    /// The values of the members in ``names``, such as `country_code`.
    public var facts: FlagTable<String> = [:]
    /// The signals that the app defines.
    public var customSignals: FlagTable<String> = [:]
    /// The user's Analytics properties.
    public var userProperties: FlagTable<String> = [:]

    /// A device without facts.
    public init() {}

    /// Reads a device from an object, such as `{"country_code": "fr", "platform_version": "18.0", "plan": "pro"}`.
    /// Members with a name in ``names`` are facts, the object `analytics_user_properties` has the user properties, and
    /// all other members are custom signals.
    ///
    /// - Throws: why Firebase would not accept the object.
    public init(_ object: JSONValue) throws(DocumentError) {
        guard object.kind == .object else { throw .unknownShape("it is \(object.kindWords); expected an object") }
        for (key, value) in object.members where value.kind != .null {
            let name = key.string
            if name == "analytics_user_properties" {
                for (key, value) in value.members { userProperties[key.string] = try Self.text(value, key.string) }
            } else if Self.names.contains(name) {
                facts[name] = try Self.text(value, name)
            } else {
                customSignals[name] = try Self.text(value, name)
            }
        }
    }

    /// A member's value as a text; numbers become texts, as in the SDK.
    private static func text(_ value: JSONValue, _ name: String) throws(DocumentError) -> String {
        switch value.kind {
        case .string: return value.text?.string ?? ""
        case .number: return value.source
        default:
            throw .unknownShape(
                "\(JSONOutput.quoted(name, limit: 60)) is \(value.kindWords); Firebase accepts strings and numbers")
        }
    }
}
