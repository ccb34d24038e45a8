import FlagModel
import FlagRemote

/// A message of Firebase's realtime updates.
struct RealtimeMessage: Sendable, Hashable {
    /// The current template.
    var templateVersion: Int?
    /// Whether the service has disabled realtime updates.
    var isDisabled = false
    /// How long to wait before the next connection, in seconds.
    var retryInterval: Int64?

    /// Decodes an object.
    init(_ object: JSONValue) {
        templateVersion = object["latestTemplateVersionNumber"]?.flagText.flatMap { Int($0.string) }
        // Like the SDK for the web; that for iOS checks only that it is present.
        isDisabled = object["featureDisabled"]?.bool == true
        retryInterval = object["retryIntervalSeconds"]?.flagText.flatMap { Int64($0.string) }
    }
}

/// Splits an endless array into its objects, from pieces of any size.
struct RealtimeMessages {
    /// More bytes than these are not a message.
    static let sizeLimit = 64 << 10

    private var pending: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    /// The incomplete part, in bytes.
    var pendingCount: Int { pending.count }

    /// The objects that are complete with this piece; `nil` for one that is not JSON.
    mutating func take(_ piece: [UInt8]) -> [JSONValue?] {
        var found: [JSONValue?] = []
        for byte in piece {
            // Everything between objects is skipped.
            guard depth > 0 || byte == UInt8(ascii: "{") else { continue }
            pending.append(byte)
            guard !isInText else {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            guard depth == 0 else { continue }
            found.append(try? JSONDocument(parsing: pending).root)
            pending = []
        }
        return found
    }
}

extension FirebaseClientSettings {
    /// The request for updates.
    func realtimeRequest(_ installation: FirebaseInstallation, _ known: FirebaseMemory.Known) -> SourceRequest {
        // By its number, like the SDK for iOS; that for the web uses its id.
        let project = PercentEncoding.encoded(app.projectNumber ?? app.projectID)
        var headers = clientHeaders
        headers.set("X-Goog-Firebase-Installations-Auth", secret: installation.token)
        headers["X-Google-GFE-Can-Retry"] = "true"
        if let etag = known.etag { headers["If-None-Match"] = etag }
        let body = JSONOutput.object([
            ("project", .string(app.projectNumber ?? app.projectID)), ("namespace", .string("firebase")),
            ("lastKnownVersionNumber", .string(String(known.templateVersion))), ("appId", .string(app.appID)),
            ("sdkVersion", .string(Self.sdkVersion)), ("appInstanceId", .string(installation.id)),
        ])
        let path = "/v1/projects/\(project)/namespaces/firebase:streamFetchInvalidations"
        return SourceRequest(
            source: name, method: .post,
            url: realtimeURL.adding(path: path).adding(query: "key", app.apiKey.reveal()), headers: headers,
            body: Array(body.text(indented: false).utf8))
    }

    /// How long the service may be silent: 330 seconds, the lifetime of a connection in the SDK.
    static let realtimeSilence = Duration.seconds(330)
}
