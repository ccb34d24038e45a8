public import FlagRemote

/// Settings for a team's values in etcd.
public struct EtcdSettings: Sendable, Hashable {
    /// The members of the cluster, and the prefix of the keys.
    public let address: EtcdAddress
    /// The user; `nil` if the cluster requires none.
    public var user: Secret?
    /// The user's password.
    public var password: Secret?
    /// Why the team's values must not be changed, as a sentence; `nil` if they may be.
    public var readOnlyReason: String?
    /// How long one member may take for a response; 3 seconds, less than etcd's own limit, as another member may
    /// respond.
    public var timeout = Duration.seconds(3)
    /// How long a write is retried before it is reported as not made; 10 seconds, longer than an election takes.
    public var writeTimeout = Duration.seconds(10)
    /// How often the values are confirmed while changes are reported; 3 seconds. A member that has stopped sends
    /// neither changes nor errors.
    public var confirmInterval = Duration.seconds(3)
    /// How many changes the history keeps; 1,000.
    public var historyLimit = 1_000

    /// Settings with the defaults that are described at each property.
    ///
    /// - Throws: why the address is not valid.
    public init(_ address: String) throws(SourceError) { self.address = try EtcdAddress(address) }
}
