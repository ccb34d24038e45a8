import FlagModel
import FlagRemote

/// A user's Google account, from the file that `gcloud auth application-default login` writes: a refresh token, with
/// which access tokens are requested.
public struct AuthorizedUser: Sendable {
    /// The project whose quota the requests use; `nil` if the file names none.
    public let quotaProject: String?
    /// The URL of the token service.
    let tokenURL: SourceURL
    private let clientID: String
    private let clientSecret: Secret
    private let refreshToken: Secret

    /// Reads the members of the file.
    ///
    /// - Parameters:
    ///   - root: the file's JSON.
    ///   - path: the file's path in errors.
    /// - Throws: what is missing, without any part of the tokens.
    init(_ root: JSONValue, path: String) throws(SourceError) {
        func text(_ name: String) -> String? { root[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
        guard let clientID = text("client_id"), let clientSecret = text("client_secret"),
            let refreshToken = text("refresh_token")
        else {
            throw SourceError(
                code: .malformed, path: path,
                sentence: "\"client_id\", \"client_secret\" or \"refresh_token\" is missing; write the file again with "
                    + "\"gcloud auth application-default login\"")
        }
        quotaProject = text("quota_project_id")
        tokenURL = try OAuthToken.url(text("token_uri"), path: path)
        self.clientID = clientID
        self.clientSecret = Secret(clientSecret)
        self.refreshToken = Secret(refreshToken)
    }
}

extension AuthorizedUser: TokenRequester {
    /// The request for an access token (RFC 6749, section 6).
    func tokenRequest(at now: FlagTimestamp, source: String) -> SourceRequest {
        OAuthToken.request(
            [
                ("grant_type", "refresh_token"), ("client_id", clientID), ("client_secret", clientSecret.reveal()),
                ("refresh_token", refreshToken.reveal()),
            ], to: tokenURL, source: source)
    }

    var rejection: (rejected: String, remedy: String) {
        ("the user of gcloud", "log in again with \"gcloud auth application-default login\"")
    }
}
