import FlagModel
import FlagRemote

/// A Google access token and its lifetime.
struct OAuthToken: Sendable {
    /// How long before its expiry a token is no longer used, in seconds: a request takes time, and clocks differ.
    private static let margin: Int64 = 60
    /// The maximum accepted lifetime, in seconds. Google's tokens are valid for an hour.
    private static let longestLife: Int64 = 24 * 3_600

    let secret: Secret
    /// When the token was received.
    private let from: FlagTimestamp
    /// When the token is no longer used.
    private let until: FlagTimestamp

    /// Decodes the response of the token service.
    ///
    /// - Parameter now: when the response was received.
    /// - Throws: why the response is malformed.
    init(_ response: SourceResponse, now: FlagTimestamp) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard let text = root["access_token"]?.text?.string, !text.isEmpty else {
            throw .unknownShape("the response has no \"access_token\"; is this the address of Google's token service?")
        }
        if let type = root["token_type"]?.text?.string, type.lowercased() != "bearer" {
            throw .unknownShape("the token has the type \(JSONOutput.quoted(type, limit: 60)), not Bearer")
        }
        secret = Secret(text)
        // A token without a lifetime is used for one request.
        let lifetime = root["expires_in"]?.flagText.flatMap { Int64($0.string) } ?? 0
        from = now
        until = FlagTimestamp(seconds: now.seconds + min(lifetime, Self.longestLife) - Self.margin)
    }

    /// Whether the token may be used. If the clock was set back, the token's age is unknown, so it may not be used.
    func isGood(at now: FlagTimestamp) -> Bool { now >= from && now < until }
}

/// Credentials with which access tokens are requested.
protocol TokenRequester: Sendable {
    /// The account that Google rejected, and the remedy, as parts of a sentence.
    var rejection: (rejected: String, remedy: String) { get }

    /// The request for an access token.
    ///
    /// - Throws: why the request cannot be created.
    func tokenRequest(at now: FlagTimestamp, source: String) throws(SourceError) -> SourceRequest
}

extension OAuthToken {
    /// The URL of the token service in Google's libraries. It is also the audience of all assertions.
    static let standardURL = "https://oauth2.googleapis.com/token"

    /// The URL of the token service that a file with credentials names. Credentials are only sent over TLS or to this
    /// machine, because anyone who reads them can use them.
    ///
    /// - Parameters:
    ///   - text: the URL in the file; `nil` for Google's own.
    ///   - path: the file's path in errors.
    static func url(_ text: String?, path: String) throws(SourceError) -> SourceURL {
        guard let url = SourceURL(text ?? standardURL), url.isSecure || url.isLoopback else {
            throw SourceError(
                code: .malformed, path: path, sentence: "its \"token_uri\" is not an https URL; download the file again"
            )
        }
        return url
    }

    /// A request that sends a form to a token service.
    static func request(_ form: [(name: String, value: String)], to url: SourceURL, source: String) -> SourceRequest {
        var headers = SourceHeaders([("Content-Type", "application/x-www-form-urlencoded")])
        headers["Accept"] = "application/json"
        let body = form.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        return SourceRequest(source: source, method: .post, url: url, headers: headers, body: Array(body.utf8))
    }
}

extension TokenRequester {
    /// The error in a response of the token service (RFC 6749, section 5.2); `nil` if the response has none.
    func error(in response: SourceResponse, of source: String) -> SourceError? {
        guard [400, 401, 403].contains(response.status),
            let root = (try? JSONDocument(parsing: response.body))?.root, let code = root["error"]?.text?.string
        else { return nil }
        let details = root["error_description"]?.text.map { ", \(JSONOutput.quoted($0.string, limit: 200))" } ?? ""
        return SourceError(
            code: .refused, path: source,
            sentence:
                "Google rejected \(rejection.rejected) (\(JSONOutput.quoted(code, limit: 60))\(details), "
                + "HTTP status \(response.status)); \(rejection.remedy)")
    }
}
