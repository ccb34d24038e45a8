import Foundation

/// A real etcd cluster on 127.0.0.1, for as long as this object exists.
public final class EtcdCluster: Sendable {
    private let folder: String
    private let members: [ChildProcess]
    private let certificate: CertificatePair?
    /// The client ports of the members.
    public let ports: [Int]

    /// Whether this machine has etcd.
    public static var isInstalled: Bool { InstalledProgram.has("etcd") && InstalledProgram.has("etcdctl") }

    /// Starts a cluster and waits until it responds; `nil` if it does not.
    ///
    /// - Parameters:
    ///   - count: the number of members.
    ///   - certificate: the certificate of the members and of their clients, for TLS; `nil` for no encryption.
    ///   - options: further options of each member.
    public init?(members count: Int = 1, certificate: CertificatePair? = nil, options: [String] = []) {
        self.certificate = certificate
        folder = NSTemporaryDirectory() + "etcd-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let ports = Self.freePorts(2 * count)
        self.ports = Array(ports.prefix(count))
        let names = (0..<count).map { "m\($0)=http://127.0.0.1:\(ports[count + $0])" }.joined(separator: ",")
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let folder = folder
        let scheme = certificate == nil ? "http" : "https"
        let tls = certificate.map { pair in
            ["--cert-file", pair.certificate, "--key-file", pair.key, "--client-cert-auth"]
                + ["--trusted-ca-file", pair.certificate]
        }
        members = (0..<count).compactMap { index in
            let (client, peer) = ("\(scheme)://127.0.0.1:\(ports[index])", "http://127.0.0.1:\(ports[count + index])")
            return ChildProcess(
                [
                    InstalledProgram.path("etcd") ?? "", "--name", "m\(index)", "--data-dir", "\(folder)/m\(index)",
                    "--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                    "--initial-advertise-peer-urls", peer, "--initial-cluster", names,
                    "--initial-cluster-token", folder, "--logger", "zap",
                ] + (tls ?? []) + options, ["PATH": "/usr/bin:/bin"], directory: folder, streams: [null])
        }
        guard members.count == count, Clock.wait(atMost: 90, until: { ctl("endpoint", "health").status == 0 }) else {
            return nil
        }
    }

    deinit {
        for member in members {
            kill(member.id, SIGKILL)
            member.end(before: Clock.seconds() + 5)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a team's values in the cluster.
    public func address(prefix: String = "shop") -> String {
        "\(certificate == nil ? "etcd" : "etcds")://\(ports.map { "127.0.0.1:\($0)" }.joined(separator: ","))/\(prefix)"
    }

    /// Sends a signal to a member.
    public func signal(_ signal: Int32, member index: Int) { kill(members[index].id, signal) }

    /// Runs `etcdctl`.
    @discardableResult public func ctl(_ arguments: String...) -> CommandRun {
        let scheme = certificate == nil ? "http" : "https"
        let endpoints = ports.map { "\(scheme)://127.0.0.1:\($0)" }.joined(separator: ",")
        let tls = certificate.map { ["--cacert", $0.certificate, "--cert", $0.certificate, "--key", $0.key] }
        return CommandRun(
            [InstalledProgram.path("etcdctl") ?? "", "--endpoints", endpoints] + (tls ?? []) + arguments,
            environment: ["ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"], directory: "/")
    }

    /// Ports that nobody listens on. They are bound together, so that they differ.
    private static func freePorts(_ count: Int) -> [Int] {
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { sockets.forEach { close($0) } }
        return sockets.map { descriptor in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    _ = bind(descriptor, generic, length)
                    _ = getsockname(descriptor, generic, &length)
                }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
    }
}
