import FlagModel
public import FlagRemote

extension LaunchDarklySettings {
    /// The name that messages use: the environment. A URL in its place may have secrets.
    var name: String { "launchdarkly:\(RedactedURL.text(environment))" }

    /// The request for all flags.
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags, sent back unchanged.
    ///   - isReport: whether the context is sent in the body.
    public func request(since version: String? = nil, isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/sdk/evalx/\(environmentSegment)/context" : "/msdk/evalx/context"
        var request = question(to: baseURL, path: isReport ? path : "\(path)s/\(contextSegment)", isReport)
        request.headers["Accept"] = "application/json"
        if let version { request.headers["If-None-Match"] = version }
        return request
    }

    /// The request for the stream of changes.
    public func streamRequest(isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/eval/\(environmentSegment)" : "/meval"
        return question(to: streamURL, path: isReport ? path : "\(path)/\(contextSegment)", isReport)
    }

    private func question(to host: SourceURL, path: String, _ isReport: Bool) -> SourceRequest {
        var url = host.adding(path: path)
        if wantsReasons { url = url.adding(query: "withReasons", "true") }
        if let secureModeHash { url = url.adding(query: "h", secureModeHash.reveal()) }
        var headers = SourceHeaders()
        // As the SDK for iOS sends it; the key alone works too.
        if let mobileKey { headers.set("Authorization", secret: mobileKey, prefix: "api_key ") }
        guard isReport else { return SourceRequest(source: name, url: url, headers: headers) }
        headers["Content-Type"] = "application/json"
        return SourceRequest(source: name, method: .report, url: url, headers: headers, body: Array(context.json.utf8))
    }

    /// Whether a service, or a proxy in front of it, does not know the method REPORT. Nothing else is a reason to put
    /// the context into a URL.
    static func isUnknownMethod(_ error: SourceError) -> Bool {
        error.status.map { [400, 405, 501].contains($0) } == true
    }

    private var environmentSegment: String { PercentEncoding.encoded(environment) }

    /// With its padding, as the SDK for iOS sends it.
    private var contextSegment: String { Base64Text.urlText(context.json.utf8) }

    /// The explanation in an error response: `message`.
    static func detail(_ response: SourceResponse) -> String? {
        (try? JSONDocument(parsing: response.body))?.root["message"]?.text?.string
    }
}
