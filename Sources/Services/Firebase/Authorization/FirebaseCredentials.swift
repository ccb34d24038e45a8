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
        switch self {
        case .token, .serviceAccount: nil
        case .user(let user): user.quotaProject
        }
    }
}
