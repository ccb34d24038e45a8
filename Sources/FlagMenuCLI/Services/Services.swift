import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceHTTP
import Synchronization

/// The requests of a run to services. The network is not used before the first request.
final class Services: Sendable {
    /// Warnings about connections, such as that a certificate is not verified.
    private let said = Mutex(Said())
    private let environment: Environment
    /// Made for the first request, as it looks up proxies and certificates.
    private let transport = Mutex<HTTPTransport?>(nil)
    private let patience: Patience

    private struct Said {
        var sentences: [String] = []
        /// How many of them were taken.
        var takenCount = 0
    }

    /// The time limits for services.
    enum Patience {
        /// Those of a fetch.
        case standard
        /// No retries, and 10 seconds: a diagnosis should be fast.
        case doctor
    }

    init(_ environment: Environment, patience: Patience = .standard) {
        self.patience = patience
        self.environment = environment
    }

    /// The client of a source.
    var client: SourceClient {
        let transport = transport.withLock { known in
            let made =
                known
                ?? HTTPTransport(
                    TransportSettings(
                        environment: environment.variables.table, userAgent: "flagmenu/\(FlagMenu.version)",
                        warn: { [weak self] in self?.warn($0) }))
            known = made
            return made
        }
        var client = SourceClient(transport: transport)
        if patience == .doctor {
            client.limits.total = .seconds(10)
            // One limit, so that the error is always the same sentence.
            client.limits.silence = .seconds(20)
            client.retry = .none
        }
        return client
    }

    /// Records a warning.
    func warn(_ sentence: String) {
        said.withLock { if !$0.sentences.contains(sentence) { $0.sentences.append(sentence) } }
    }

    /// Warnings about connections, a sentence each.
    var warnings: [String] { said.withLock { $0.sentences } }

    /// The warnings that were not taken yet, so that each is printed once.
    func takeWarnings() -> [String] {
        said.withLock { said in
            defer { said.takenCount = said.sentences.count }
            return Array(said.sentences[said.takenCount...])
        }
    }
}
