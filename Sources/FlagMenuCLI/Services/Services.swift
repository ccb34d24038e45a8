import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceHTTP
import Synchronization

/// What asks the services of a run. Nothing of the network is touched before the first question.
final class Services: Sendable {
    /// What has to be known about connections, such as that a certificate is not looked at.
    private let said = Mutex(Said())
    private let environment: Environment
    /// Made for the first source that asks, as it looks for proxies and certificates.
    private let transport = Mutex<HTTPTransport?>(nil)
    private let patience: Patience

    private struct Said {
        var sentences: [String] = []
        /// How many of them were taken.
        var takenCount = 0
    }

    /// How long services are waited for.
    enum Patience {
        /// As long as a fetch may take.
        case standard
        /// Once, for 10 seconds: whoever looks for what is wrong wants to know soon.
        case doctor
    }

    init(_ environment: Environment, patience: Patience = .standard) {
        self.patience = patience
        self.environment = environment
    }

    /// What a source asks with.
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
            // One limit, so that it is always the same sentence that tells of it.
            client.limits.silence = .seconds(20)
            client.retry = .none
        }
        return client
    }

    /// Notes something that has to be known.
    func warn(_ sentence: String) {
        said.withLock { if !$0.sentences.contains(sentence) { $0.sentences.append(sentence) } }
    }

    /// What has to be known about connections, a sentence each.
    var warnings: [String] { said.withLock { $0.sentences } }

    /// Those of them that nobody has taken yet, for who says each once.
    func takeWarnings() -> [String] {
        said.withLock { said in
            defer { said.takenCount = said.sentences.count }
            return Array(said.sentences[said.takenCount...])
        }
    }
}
