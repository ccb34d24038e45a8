public import FlagRemote

/// The address of a team's values: the members of an etcd cluster, and the prefix of the keys. `etcd://` is not
/// encrypted, `etcds://` is.
public struct EtcdAddress: Sendable, Hashable, CustomStringConvertible {
    /// The URLs of the members, any of which responds.
    public let members: [SourceURL]
    /// The prefix of all keys of the team, such as `shop`.
    public let prefix: String

    /// The port of a member that names none.
    private static let standardPort = 2379

    /// Parses `etcd://HOST:PORT,HOST:PORT/PREFIX`.
    ///
    /// - Throws: why the text is not an address.
    public init(_ text: String) throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(
                .rejected, of: RedactedURL.text(text), "\(sentence); example: etcd://10.0.0.1:2379,10.0.0.2:2379/shop")
        }
        let isSecure = text.hasPrefix("etcds://")
        guard isSecure || text.hasPrefix("etcd://") else {
            throw failure("the address of a team begins with etcd:// or, with TLS, with etcds://")
        }
        let place = text.dropFirst(isSecure ? 8 : 7)
        guard !place.contains("@") else {
            throw failure("the address of a team must not contain credentials; set ETCDCTL_USER and ETCDCTL_PASSWORD")
        }
        let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var prefix = parts.count > 1 ? parts[1] : ""
        while prefix.hasSuffix("/") { prefix.removeLast() }
        guard !prefix.isEmpty, prefix.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"?#%".utf8.contains($0) }) else {
            throw failure("the address of a team needs a prefix for its keys after the members, of letters and digits")
        }
        self.prefix = String(prefix)
        var members: [SourceURL] = []
        for member in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
            guard var url = SourceURL("\(isSecure ? "https" : "http")://\(member)"), url.target == "/" else {
                throw failure("\"\(member)\" is not the host and port of a member")
            }
            if url.port == nil, let withPort = SourceURL("\(url.scheme)://\(url.host):\(Self.standardPort)") {
                url = withPort
            }
            members.append(url)
        }
        self.members = members
    }

    /// Whether the connections to the members are encrypted.
    public var isSecure: Bool { members[0].isSecure }

    /// The address as text, with the ports of all members.
    public var description: String {
        "\(isSecure ? "etcds" : "etcd")://\(members.map(\.authority).joined(separator: ","))/\(prefix)"
    }

    /// The beginning of the keys of the team's values.
    var flagsPrefix: String { "\(prefix)/flags/" }
    /// The beginning of the keys of the history.
    var historyPrefix: String { "\(prefix)/history/" }
}

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
