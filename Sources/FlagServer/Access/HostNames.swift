#if Server
import NIOCore

/// The names and addresses by which clients reach a server.
struct HostNames: Sendable {
    /// All of them, in lower case and without a port.
    let all: Set<String>
    /// The one for links: a name that was given, else an address that other machines reach.
    let linked: String
    /// An address at which this machine reaches a server that listens on all addresses; `nil` for other servers.
    let local: String?

    private static let loopback = ["localhost", "127.0.0.1", "::1"]

    /// The names of a server. One that listens on all addresses of this machine is reached by each of them.
    init(_ settings: ServerSettings) {
        let address = AccessPolicy.bare(settings.address).lowercased()
        let isEverywhere = address == "0.0.0.0" || address == "::"
        // Without the list of interfaces, the names that were given are enough.
        let devices = isEverywhere ? (try? System.enumerateDevices()) ?? [] : []
        let addresses = devices.compactMap { $0.address?.ipAddress }
        let given = settings.hostNames.map { AccessPolicy.bare($0).lowercased() }
        all = Set(
            given + addresses + (isEverywhere ? [] : [address])
                + (isEverywhere || settings.isLoopback ? Self.loopback : []))
        let outside = addresses.first { !$0.hasPrefix("127.") && !$0.contains(":") }
        linked = given.first ?? (isEverywhere ? outside ?? Self.loopback[1] : address)
        // A certificate for an address of this machine is valid only if clients connect to this very address.
        let loopback = addresses.contains(linked) ? linked : address == "::" ? "::1" : Self.loopback[1]
        local = isEverywhere ? loopback : nil
    }
}
#endif
