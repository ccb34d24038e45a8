public import FlagRemote

/// Credentials to read and publish the templates of a project.
public enum FirebaseCredentials: Sendable {
    /// A Google access token, as `gcloud auth print-access-token` prints it. It expires after an hour.
    case token(Secret)
    /// A service account, with which access tokens are requested.
    case serviceAccount(ServiceAccount)
}
