import FlagModel
import FlagRemote

/// A user's Google account, from the file that `gcloud auth application-default login` writes: a refresh token, with
/// which access tokens are requested.
public struct AuthorizedUser: Sendable {
    /// The project whose quota the requests use; `nil` if the file names none.
    public let quotaProject: String?
    /// The request for an access token (RFC 6749, section 6).
    let tokenRequest: TokenRequest

    /// Reads the members of the file.
    ///
    /// - Parameters:
    ///   - root: the file's JSON.
    ///   - path: the file's path in errors.
    /// - Throws: what is missing, without any part of the tokens.
    init(_ root: JSONValue, path: String) throws(SourceError) {
        guard let clientID = root.nonEmpty("client_id"), let clientSecret = root.nonEmpty("client_secret"),
            let refreshToken = root.nonEmpty("refresh_token")
        else {
            throw SourceError(
                code: .malformed, path: path,
                sentence: "\"client_id\", \"client_secret\" or \"refresh_token\" is missing; write the file again with "
                    + "\"gcloud auth application-default login\"")
        }
        quotaProject = root.nonEmpty("quota_project_id")
        tokenRequest = TokenRequest(
            url: try TokenRequest.url(root.nonEmpty("token_uri"), path: path),
            form: [
                ("grant_type", Secret("refresh_token")), ("client_id", Secret(clientID)),
                ("client_secret", Secret(clientSecret)), ("refresh_token", Secret(refreshToken)),
            ], account: "the user of gcloud", remedy: "log in again with \"gcloud auth application-default login\"")
    }
}
