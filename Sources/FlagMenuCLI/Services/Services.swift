import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceHTTP
import FlagTeamEtcd
import Synchronization

/// The network access of a run to services. No connection is opened before the first request.
final class Services: Sendable {
    /// Warnings about connections, such as that a certificate is not verified.
    private let recorded = Mutex(Warnings())
    private let environment: Environment
    private let transports = Mutex(Transports())
    private let timeout: RequestTimeouts

    /// Created when a client is first needed, because looking up proxies and certificates takes time.
    private struct Transports {
        var services: HTTPTransport?
        /// Presents the client certificate that no other service should see.
        var team: HTTPTransport?
    }

    private struct Warnings {
        var sentences: [String] = []
        /// The number of sentences that ``readNewWarnings()`` has returned already.
        var readCount = 0
    }

    /// The time limits for services.
    enum RequestTimeouts {
        /// The limits of a fetch.
        case standard
        /// One attempt of at most 10 seconds, because a diagnosis should be fast.
        case doctor
    }

    init(_ environment: Environment, timeout: RequestTimeouts = .standard) {
        self.timeout = timeout
        self.environment = environment
    }

    /// A client for the requests of a source.
    var client: SourceClient { client(\.services) { _ in } }

    /// A client for the requests of the team.
    var teamClient: SourceClient { client(\.team) { $0.presentCertificate(of: environment) } }

    private func client(
        _ part: WritableKeyPath<Transports, HTTPTransport?>, _ change: (inout TransportSettings) -> Void
    ) -> SourceClient {
        let transport = transports.withLock { transports in
            var settings = TransportSettings(
                environment: environment.variables, userAgent: "flagmenu/\(FlagMenu.version)",
                warn: { [weak self] in self?.warn($0) })
            change(&settings)
            let transport = transports[keyPath: part] ?? HTTPTransport(settings)
            transports[keyPath: part] = transport
            return transport
        }
        var client = SourceClient(transport: transport)
        if timeout == .doctor {
            client.limits.total = .seconds(10)
            // Longer than the total limit, so that every timeout is reported with the same sentence.
            client.limits.idleTimeout = .seconds(20)
            client.retry = .none
        }
        return client
    }

    /// Records a warning, unless it was recorded before.
    func warn(_ sentence: String) {
        recorded.withLock { if !$0.sentences.contains(sentence) { $0.sentences.append(sentence) } }
    }

    /// Warnings about connections, a sentence each.
    var warnings: [String] { recorded.withLock { $0.sentences } }

    /// Returns the warnings that no earlier call has returned, so that each is printed once.
    func readNewWarnings() -> [String] {
        recorded.withLock { recorded in
            defer { recorded.readCount = recorded.sentences.count }
            return Array(recorded.sentences[recorded.readCount...])
        }
    }
}

extension TransportSettings {
    /// Presents the client certificate, and trusts the authorities, that etcdctl's variables name.
    fileprivate mutating func presentCertificate(of environment: Environment) {
        if let path = environment[EtcdKind.authoritiesVariable], trust != .nobodyIsVerified {
            trust = .authorities(path: path)
        }
        guard let certificate = environment[EtcdKind.certificateVariable],
            let key = environment[EtcdKind.keyVariable]
        else { return }
        clientCertificate = ClientCertificate(path: certificate, keyPath: key)
    }
}
