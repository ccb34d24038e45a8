#if Server
import NIOCore

/// The settings of a server.
public struct ServerSettings: Sendable {
    /// The port that a server listens on unless another one is given.
    public static let defaultPort = 7110

    /// The address to listen on; only this machine's own programs reach `127.0.0.1`.
    public var address = "127.0.0.1"
    /// The port; 0 for any free one.
    public var port = defaultPort
    /// More names by which clients reach the server, without a port.
    public var hostNames: [String] = []
    /// The origins of web apps that may evaluate flags, such as `http://localhost:3000`.
    public var allowedOrigins: [String] = []
    /// The files of the certificate chain and of its key, in PEM; `nil` for plain HTTP.
    public var certificate: (chain: String, key: String)?
    /// The limits for clients.
    public var limits = ServerLimits()

    /// The default settings.
    public init() {}

    /// Whether only programs on this machine reach the server.
    public var isLoopback: Bool {
        let host = AccessPolicy.bare(address)
        return host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}

/// The limits that keep one client from harming the others.
public struct ServerLimits: Sendable {
    /// The largest body of a request, in bytes.
    public var bodySize = 64 << 10
    /// The largest head of a request, in bytes.
    public var headSize = 16 << 10
    /// How many connections may be open; further ones wait.
    public var connections = 2_000
    /// How many event streams may be open.
    public var eventStreams = 300
    /// How often idle event streams write a comment, and how often changes of clients' own overrides by other processes
    /// are searched for, in seconds. Most proxies accept the pause, and evaluations have the changes at once.
    var streamPause = 15
    /// How many clients' own overrides stay in memory; those of others are read when they are needed.
    public var clientSets = 100
    /// How long a connection may be idle.
    public var idleTime = Duration.seconds(60)
    /// How long a client may take to send a request.
    public var requestTime = Duration.seconds(20)
    /// How many rejected tokens, codes and writes per second are answered before the answer is 429.
    public var rejectionsPerSecond = 20
    /// How many writes per second are made.
    public var writesPerSecond = 100

    /// The default limits.
    public init() {}
}

/// The names and addresses by which clients reach a server.
struct HostNames: Sendable {
    /// All of them, in lower case and without a port.
    let all: Set<String>
    /// The one for links: a name that was given, else an address that other machines reach.
    let linked: String
    /// An address at which this machine reaches a server that listens on all addresses; `nil` for other servers.
    let local: String?

    /// The names of a server. One that listens on all addresses of this machine is reached by each of them.
    init(_ settings: ServerSettings) {
        let address = AccessPolicy.bare(settings.address).lowercased()
        let isEverywhere = address == "0.0.0.0" || address == "::"
        // Without the list of interfaces, the names that were given are enough.
        let devices = isEverywhere ? (try? System.enumerateDevices()) ?? [] : []
        let addresses = isEverywhere ? devices.compactMap { $0.address?.ipAddress } : [address]
        let given = settings.hostNames.map { AccessPolicy.bare($0).lowercased() }
        let loopback = isEverywhere || settings.isLoopback ? ["localhost", "127.0.0.1", "::1"] : []
        all = Set(given + addresses + loopback)
        let outside = addresses.first { !$0.hasPrefix("127.") && !$0.contains(":") }
        linked = given.first ?? (isEverywhere ? outside ?? "127.0.0.1" : address)
        // A certificate for an address of this machine is valid only if clients connect to this very address.
        let own = addresses.contains(linked) ? linked : address == "::" ? "::1" : "127.0.0.1"
        local = isEverywhere ? own : nil
    }
}
#endif
