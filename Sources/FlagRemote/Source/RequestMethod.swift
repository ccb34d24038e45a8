/// How the evaluation context is sent to a service that reads it in either way.
public enum RequestMethod: String, Sendable, Hashable, CaseIterable {
    /// In the URL. The service can respond that nothing has changed.
    case get
    /// In the body, so that the context is not in URL logs.
    case post
}
