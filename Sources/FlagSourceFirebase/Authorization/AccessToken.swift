import FlagModel
import FlagRemote

/// A Google access token and its lifetime.
struct AccessToken: Sendable {
    /// It is not used any more this many seconds before it expires: a request takes time, and clocks differ.
    private static let margin: Int64 = 60
    /// The longest accepted lifetime, in seconds; Google's tokens live an hour.
    private static let longestLife: Int64 = 24 * 3_600

    let secret: Secret
    private let from: Timestamp
    private let until: Timestamp

    /// Decodes the response of the token service.
    ///
    /// - Parameter now: when it came.
    /// - Throws: what is wrong with it.
    init(_ response: SourceResponse, now: Timestamp) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard let text = root["access_token"]?.text?.string, !text.isEmpty else {
            throw .unknownShape("the response has no \"access_token\"; is this the address of Google's token service?")
        }
        if let type = root["token_type"]?.text?.string, type.lowercased() != "bearer" {
            throw .unknownShape("the token has the type \(JSONOutput.quoted(type, limit: 60)), not Bearer")
        }
        secret = Secret(text)
        // Without a lifetime it is used for one request.
        let life = root["expires_in"]?.flagText.flatMap { Int64($0.string) } ?? 0
        from = now
        until = Timestamp(seconds: now.seconds + min(life, Self.longestLife) - Self.margin)
    }

    /// Whether it is valid. If the clock was set back its age is unknown, so it is not.
    func isGood(at now: Timestamp) -> Bool { now >= from && now < until }
}

extension ServiceAccount {
    /// The request for a token.
    func tokenRequest(_ assertion: Secret, source: String) -> SourceRequest {
        let grant = PercentEncoding.encoded("urn:ietf:params:oauth:grant-type:jwt-bearer")
        var headers = SourceHeaders([("Content-Type", "application/x-www-form-urlencoded")])
        headers["Accept"] = "application/json"
        return SourceRequest(
            source: source, method: .post, url: tokenURL, headers: headers,
            body: Array("grant_type=\(grant)&assertion=\(PercentEncoding.encoded(assertion.reveal()))".utf8))
    }

    /// The token service's own error (RFC 6749, section 5.2); `nil` if the response has none.
    func refusal(_ response: SourceResponse, of source: String) -> SourceError? {
        guard [400, 401, 403].contains(response.status),
            let root = (try? JSONDocument(parsing: response.body))?.root, let code = root["error"]?.text?.string
        else { return nil }
        let details = root["error_description"]?.text.map { ", \(JSONOutput.quoted($0.string, limit: 200))" } ?? ""
        return SourceError(
            code: .refused, path: source,
            sentence:
                "Google rejected the service account \(email) (\(JSONOutput.quoted(code, limit: 60))\(details), "
                + "HTTP status \(response.status)); check this machine's clock, and in the Google Cloud console that the "
                + "account and its key still exist")
    }
}
