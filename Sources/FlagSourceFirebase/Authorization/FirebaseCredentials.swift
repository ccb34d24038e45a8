public import FlagRemote

/// What lets somebody read and publish the templates of a project.
public enum FirebaseCredentials: Sendable {
    /// An access token of Google's sign-in, as `gcloud auth print-access-token` prints it. It ends after an hour.
    case token(Secret)
    /// An account for programs, which gets such tokens itself.
    case serviceAccount(ServiceAccount)
}
