public import FlagRemote

/// Credentials for the public database: CloudKit accepts either a token or a key.
public enum CloudKitCredentials: Sendable, Hashable {
    /// A token from the CloudKit Console, sent as `ckAPIToken`. It has the access of the role World in the schema.
    case apiToken(Secret)
    /// A key that signs each request. It has the access of the account that created it in the console.
    case serverKey(CloudKitServerKey)
}
