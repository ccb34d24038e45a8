public import FlagRemote

/// Credentials for the public database: CloudKit accepts either a token or a key.
public enum CloudKitCredentials: Sendable {
    /// A token from the CloudKit Console, sent as `ckAPIToken`, with the permissions of the role World in the schema.
    case apiToken(Secret)
    /// A key that signs each request, with the permissions of the account that created the key in the console.
    case serverKey(CloudKitServerKey)
}
