import FlagModel
import FlagRemote

/// A message of Firebase's realtime updates.
struct RealtimeMessage: Sendable, Hashable {
    /// The version of the current template; `nil` if the message names none.
    var templateVersion: Int?
    /// Whether the service has disabled realtime updates.
    var isDisabled = false
    /// How long to wait before the next connection, in seconds; `nil` if the message does not say.
    var retryInterval: Int64?

    /// Decodes an object.
    init(_ object: JSONValue) {
        templateVersion = object["latestTemplateVersionNumber"]?.flagText.flatMap { Int($0.string) }
        // As in the SDK for the web; the SDK for iOS checks only that the member is present.
        isDisabled = object["featureDisabled"]?.bool == true
        retryInterval = object["retryIntervalSeconds"]?.flagText.flatMap { Int64($0.string) }
    }
}

/// Splits an endless array, which arrives in pieces of any size, into its objects.
struct RealtimeMessages {
    /// The maximum size of a message, in bytes.
    static let sizeLimit = 64 << 10

    private var pending: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    /// How many bytes the incomplete object has so far.
    var pendingCount: Int { pending.count }

    /// Parses the next piece.
    ///
    /// - Returns: the objects that the piece completes; `nil` in place of an object that is not valid JSON.
    mutating func parse(_ piece: [UInt8]) -> [JSONValue?] {
        var objects: [JSONValue?] = []
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
            objects.append(try? JSONDocument(parsing: pending).root)
            pending = []
        }
        return objects
    }
}

extension FirebaseClientSettings {
    /// The request for updates.
    func realtimeRequest(_ installation: FirebaseInstallation, _ known: FirebaseMemory.Known) -> SourceRequest {
        // The project's number, as in the SDK for iOS; the SDK for the web uses the project's id.
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
    static let realtimeIdleTimeout = Duration.seconds(330)
}
