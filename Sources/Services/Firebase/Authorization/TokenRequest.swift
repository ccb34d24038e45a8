import FlagModel
import FlagRemote

/// A request for an access token.
struct TokenRequest: Sendable {
    /// The URL of the token service in Google's libraries. It is also the audience of all assertions.
    static let standardURL = "https://oauth2.googleapis.com/token"

    /// The URL of the token service.
    let url: SourceURL
    let form: [(name: String, value: Secret)]
    /// The account, for the error if Google rejects it.
    let account: String
    /// What to do if Google rejects the account, as a part of a sentence.
    let remedy: String

    /// The URL of the token service that a file with credentials names. Credentials are only sent over TLS or to this
    /// machine, because anyone who reads them can use them.
    ///
    /// - Parameters:
    ///   - text: the URL in the file; `nil` for Google's own.
    ///   - path: the file's path in errors.
    static func url(_ text: String?, path: String) throws(SourceError) -> SourceURL {
        guard let url = SourceURL(text ?? standardURL), url.isSecure || url.isLoopback else {
            throw SourceError(.malformed, of: path, "its \"token_uri\" is not an https URL; download the file again")
        }
        return url
    }

    /// Requests the token.
    ///
    /// - Parameter source: the source's name in errors.
    func send(_ client: SourceClient, of source: String) async throws(SourceError) -> ExpiringToken {
        var headers = SourceHeaders([("Content-Type", "application/x-www-form-urlencoded")])
        headers["Accept"] = "application/json"
        let body = form.map { "\($0.name)=\(PercentEncoding.encoded($0.value.reveal()))" }.joined(separator: "&")
        let request = SourceRequest(source: source, method: .post, url: url, headers: headers, body: Array(body.utf8))
        var rejection: SourceError?
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.send(request) { response in
                rejection = error(in: response, of: source)
                return nil
            }
        } catch {
            throw rejection ?? error
        }
        // The request named no version, so 304 is an error.
        _ = try FetchResult(response, since: nil, of: source)
        // Masked, as errors may quote the response.
        let masked = request.masking(response)
        return try SourceError.reading(source, value: try token(in: masked, now: client.clock.now()))
    }

    private func token(in response: SourceResponse, now: FlagTimestamp) throws(DocumentError) -> ExpiringToken {
        let root = try JSONDocument(document: response.body).root
        guard let text = root.nonEmpty("access_token") else {
            throw .unknownShape("the response has no \"access_token\"; is this the address of Google's token service?")
        }
        if let type = root["token_type"]?.text?.string, type.lowercased() != "bearer" {
            throw .unknownShape("the token has the type \(JSONOutput.quoted(type, limit: 60)), not Bearer")
        }
        // A token without a lifetime is used for one request.
        let lifetime = root["expires_in"]?.flagText.flatMap { Double($0.string) } ?? 0
        return ExpiringToken(text, lasting: lifetime, from: now, margin: 60)
    }

    /// The error in a response of the token service (RFC 6749, section 5.2); `nil` if the response has none.
    private func error(in response: SourceResponse, of source: String) -> SourceError? {
        guard [400, 401, 403].contains(response.status),
            let root = (try? JSONDocument(parsing: response.body))?.root, let code = root["error"]?.text?.string
        else { return nil }
        let details = root["error_description"]?.text.map { ", \(JSONOutput.quoted($0.string, limit: 200))" } ?? ""
        return SourceError(
            .refused, of: source,
            "Google rejected \(account) (\(JSONOutput.quoted(code, limit: 60))\(details), "
                + "HTTP status \(response.status)); \(remedy)")
    }
}

/// A token with a limited lifetime.
struct ExpiringToken: Sendable {
    /// The maximum accepted lifetime, in seconds: 30 days. Google's tokens are valid for an hour or a week.
    private static let longestLife = 30.0 * 86_400

    let secret: Secret
    /// When the token was received.
    let from: FlagTimestamp
    /// When the token expires.
    private(set) var until: FlagTimestamp
    /// How long before its expiry the token is no longer used, in seconds: a request takes time, and clocks differ.
    private let margin: Int64

    init(_ text: String, lasting seconds: Double, from: FlagTimestamp, margin: Int64) {
        let life = seconds.isFinite ? Int64(min(max(seconds, 0), Self.longestLife)) : 0
        (secret, self.from, self.margin) = (Secret(text), from, margin)
        until = FlagTimestamp(seconds: from.seconds + life)
    }

    /// Whether the token may be used. If the clock was set back, the token's age is unknown, so it may not be used.
    func isGood(at now: FlagTimestamp) -> Bool { now >= from && now.seconds < until.seconds - margin }

    /// Marks the token as expired.
    mutating func expire() { until = from }
}

extension JSONValue {
    /// The text of a member; `nil` if it is missing or empty, or not a text.
    func nonEmpty(_ name: String) -> String? { self[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
}
