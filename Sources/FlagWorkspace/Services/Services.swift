package import FlagRemote
import FlagSourceHTTP
import Synchronization

/// The network access of a run to services. No connection is opened before the first request.
package struct Services: Sendable {
    /// Sends the requests of sources.
    package let client: SourceClient
    /// Sends the requests of the team, with the client certificate that no other service should see.
    let teamClient: SourceClient
    package let warnings = ConnectionWarnings()

    /// - Parameter limit: how long the only attempt of a request may take; `nil` for the usual attempts.
    package init(_ environment: Environment, limit: Duration? = nil) {
        func client(_ settings: TransportSettings) -> SourceClient {
            var client = SourceClient(transport: HTTPTransport(settings))
            guard let limit else { return client }
            client.limits.total = limit
            // Longer than the total limit, so that every timeout is reported with the same sentence.
            client.limits.idleTimeout = limit * 2
            client.retry = .none
            return client
        }
        var settings = TransportSettings(
            environment: environment.variables, userAgent: "flagmenu/\(Release.version)", warn: warnings.add)
        self.client = client(settings)
        if let path = environment[EtcdKind.authoritiesVariable], settings.trust != .nobodyIsVerified {
            settings.trust = .authorities(path: path)
        }
        if let path = environment[EtcdKind.certificateVariable], let keyPath = environment[EtcdKind.keyVariable] {
            settings.clientCertificate = .init(path: path, keyPath: keyPath)
        }
        teamClient = client(settings)
    }
}

/// Warnings about connections, a sentence each, such as that a certificate is not verified.
package final class ConnectionWarnings: Sendable {
    private let recorded = Mutex<(sentences: [String], readCount: Int)>(([], 0))

    package var all: [String] { recorded.withLock { $0.sentences } }

    /// Records a warning, unless it was recorded before.
    @Sendable func add(_ sentence: String) {
        recorded.withLock { if !$0.sentences.contains(sentence) { $0.sentences.append(sentence) } }
    }

    /// Returns the warnings that no earlier call has returned, so that each is printed once.
    package func readNew() -> [String] {
        recorded.withLock { recorded in
            defer { recorded.readCount = recorded.sentences.count }
            return Array(recorded.sentences[recorded.readCount...])
        }
    }
}
