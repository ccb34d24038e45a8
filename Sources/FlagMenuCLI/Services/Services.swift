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
    private let recorded = Mutex<(sentences: [String], readCount: Int)>(([], 0))
    private let environment: Environment
    /// Created when a client is first needed, because looking up proxies and certificates takes time.
    private let transport = Mutex<HTTPTransport?>(nil)
    /// Presents the client certificate that no other service should see.
    private let teamTransport = Mutex<HTTPTransport?>(nil)
    private let isDiagnosis: Bool

    /// - Parameter isDiagnosis: whether there is one attempt of at most 10 seconds, because a diagnosis should be fast.
    init(_ environment: Environment, isDiagnosis: Bool = false) {
        (self.environment, self.isDiagnosis) = (environment, isDiagnosis)
    }

    /// A client for the requests of a source.
    var client: SourceClient { client(transport) { _ in } }

    /// A client for the requests of the team.
    var teamClient: SourceClient { client(teamTransport) { $0.presentCertificate(of: environment) } }

    private func client(
        _ made: borrowing Mutex<HTTPTransport?>, _ change: (inout TransportSettings) -> Void
    ) -> SourceClient {
        let transport = made.withLock { made in
            var settings = TransportSettings(
                environment: environment.variables, userAgent: "flagmenu/\(FlagMenu.version)",
                warn: { [weak self] in self?.warn($0) })
            change(&settings)
            let transport = made ?? HTTPTransport(settings)
            made = transport
            return transport
        }
        var client = SourceClient(transport: transport)
        if isDiagnosis {
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
