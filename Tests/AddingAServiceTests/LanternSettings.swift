public import FlagRemote

/// Settings for a server of Lantern, a service that exists only in these tests.
public struct LanternSettings: Sendable, Hashable {
    /// The default environment.
    public static let defaultEnvironment = "production"
    /// The default poll interval: 60 seconds.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The URL before `/flags`.
    public let baseURL: SourceURL
    /// The key that each request needs.
    public let accessKey: Secret
    /// The environment whose flags are read.
    public var environment = defaultEnvironment
    /// How often the server is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for a server.
    ///
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String, accessKey: Secret) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "a Lantern server", example: "https://lantern.example.com", insteadUse: "an access key",
            without: ["/flags"])
        self.accessKey = accessKey
    }

    /// The source's name in messages, with the server's host.
    var name: String { "lantern:\(baseURL.authority)" }

    /// The request for all flags: `GET /flags?env=production`.
    ///
    /// - Parameter version: the ETag of the known flags; `nil` for a complete response.
    func request(since version: String?) -> SourceRequest {
        var headers = SourceHeaders([("Accept", "application/json")])
        if !accessKey.isEmpty { headers.set("X-Lantern-Key", secret: accessKey) }
        if let version { headers["If-None-Match"] = version }
        let url = baseURL.adding(path: "/flags").adding(query: "env", environment)
        return SourceRequest(source: name, url: url, headers: headers)
    }
}
