public import FlagRemote

/// Credentials for the public database. CloudKit accepts one or the other, never both.
public enum CloudKitCredentials: Sendable, Hashable {
    /// A token from the CloudKit Console, sent as `ckAPIToken`. It reads what the schema lets the role World read.
    case apiToken(Secret)
    /// A key that signs each request. It has the access of the account that made it in the console.
    case serverKey(CloudKitServerKey)
}
