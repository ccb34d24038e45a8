public import FlagRemote

/// What lets a reader of the public database in. CloudKit takes one or the other, never both.
public enum CloudKitCredentials: Sendable, Hashable {
    /// A token from the CloudKit Console, sent as `ckAPIToken`. It reads what the schema lets the role World read.
    case apiToken(Secret)
    /// A key that signs each request. It reads as whoever made it in the console.
    case serverKey(CloudKitServerKey)
}
