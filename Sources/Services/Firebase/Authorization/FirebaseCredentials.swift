import FlagModel
public import FlagRemote

/// Credentials to read and publish the templates of a project.
public enum FirebaseCredentials: Sendable {
    /// A Google access token, as `gcloud auth print-access-token` prints it. It expires after an hour.
    case token(Secret)
    /// A service account, with which access tokens are requested.
    case serviceAccount(ServiceAccount)
    /// A user who logged in with gcloud, for whom access tokens are requested.
    case user(AuthorizedUser)

    /// The size limit of a file with credentials, in bytes. A service account's file has about 2,400.
    private static let sizeLimit = 64 << 10

    /// Reads Google's application default credentials: the key file of a service account, or the file of a user that
    /// `gcloud auth application-default login` writes.
    ///
    /// - Throws: why the file cannot be read, or why its content is not valid.
    public init(path: String) throws(SourceError) {
        let root = try Self.root(ofFile: path)
        self =
            root["type"]?.text == "authorized_user"
            ? .user(try AuthorizedUser(root, path: path)) : .serviceAccount(try ServiceAccount(root, path: path))
    }

    /// The JSON of a file with credentials.
    static func root(ofFile path: String) throws(SourceError) -> JSONValue {
        try root(of: try SourceFileBytes(path: path, limit: sizeLimit).bytes, path: path)
    }

    /// The JSON of the content of a file with credentials.
    static func root(of bytes: [UInt8], path: String) throws(SourceError) -> JSONValue {
        try SourceError.reading(path, value: try JSONDocument(document: bytes).root)
    }

    /// The project whose quota requests use; `nil` if the credentials name none.
    var quotaProject: String? {
        if case .user(let user) = self { user.quotaProject } else { nil }
    }
}

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
