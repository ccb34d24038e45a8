import FlagModel
public import FlagRemote

extension LaunchDarklySettings {
    /// The source's name in messages, redacted, as a user may have entered a URL with secrets as the environment.
    var name: String { "launchdarkly:\(RedactedURL.text(environment))" }

    /// The request for all flags.
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags; `nil` for a complete response.
    ///   - isReport: whether the context is sent in the body.
    public func request(since version: String? = nil, isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/sdk/evalx/\(environmentSegment)/context" : "/msdk/evalx/context"
        var request = evaluationRequest(to: baseURL, path: isReport ? path : "\(path)s/\(contextSegment)", isReport)
        request.headers["Accept"] = "application/json"
        if let version { request.headers["If-None-Match"] = version }
        return request
    }

    /// The request for the stream of changes.
    public func streamRequest(isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/eval/\(environmentSegment)" : "/meval"
        return evaluationRequest(to: streamURL, path: isReport ? path : "\(path)/\(contextSegment)", isReport)
    }

    private func evaluationRequest(to host: SourceURL, path: String, _ isReport: Bool) -> SourceRequest {
        var url = host.adding(path: path)
        if wantsReasons { url = url.adding(query: "withReasons", "true") }
        if let secureModeHash { url = url.adding(query: "h", secureModeHash.reveal()) }
        var headers = SourceHeaders()
        // The prefix of the SDK for iOS; the key alone works too.
        if let mobileKey { headers.set("Authorization", secret: mobileKey, prefix: "api_key ") }
        guard isReport else { return SourceRequest(source: name, url: url, headers: headers) }
        headers["Content-Type"] = "application/json"
        return SourceRequest(source: name, method: .report, url: url, headers: headers, body: Array(context.json.utf8))
    }

    /// Whether an error says that the service, or a proxy in front of it, does not support the method REPORT. After any
    /// other error the context must not be sent in the URL.
    static func isUnknownMethod(_ error: SourceError) -> Bool {
        error.status.map { [400, 405, 501].contains($0) } == true
    }

    private var environmentSegment: String { PercentEncoding.encoded(environment) }

    /// The context in base64 with padding, as in the SDK for iOS.
    private var contextSegment: String { Base64Text.urlText(context.json.utf8) }
}
