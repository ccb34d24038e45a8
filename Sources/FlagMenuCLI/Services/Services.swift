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

    private func makeTransport() -> HTTPTransport {
        let box = WarningBox()
        defer { box.owner.withLock { $0.services = self } }
        return HTTPTransport(
            TransportSettings(
                environment: environment.variables.table, userAgent: "flagmenu/\(FlagMenu.version)", warn: box.warn))
    }

    /// What a source asks with.
    var client: SourceClient {
        let transport = transport.withLock { known in
            let made = known ?? makeTransport()
            known = made
            return made
        }
        var client = SourceClient(transport: transport, progress: FetchReport.note)
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

    /// Asks services, all at once, and waits for all of them. One that wants to be left alone is.
    ///
    /// - Parameters:
    ///   - known: the sources with what is known of them; files among them are passed over.
    ///   - isMeant: tells those that are asked from those that are only there, so that each has its place.
    ///   - report: told how far it is.
    ///   - arrived: handed every answer that comes while others are still waited for.
    /// - Returns: those that were not handed over.
    func answers(
        _ known: [RemoteState.Source], where isMeant: (RemoteState.Source) -> Bool = { _ in true },
        report: FetchReport? = nil, arrived: (@Sendable (SourceAnswers) -> Void)? = nil
    ) async -> SourceAnswers {
        let services = known.enumerated().filter { $0.element.source.service != nil && isMeant($0.element) }
        guard !services.isEmpty else { return [:] }
        let now = SystemClock.now()
        report?.begin(services.map(\.offset))
        return await withTaskGroup(of: (String, Result<SourceAnswer, SourceError>).self) { group in
            for (index, known) in services {
                let place = report.map { FetchReport.Place(report: $0, source: index) }
                group.addTask {
                    await FetchReport.$place.withValue(place) {
                        defer { place?.tell(.answered) }
                        return (known.source.identity, await Self.answer(known, now))
                    }
                }
            }
            var answers = SourceAnswers()
            for awaited in (0..<services.count).reversed() {
                guard let (identity, answer) = await group.next() else { break }
                if awaited > 0, let arrived { arrived([identity: answer]) } else { answers[identity] = answer }
            }
            // How long somebody is left alone still counts from when that is told, and others may have taken their time.
            let delay = SystemClock.now().seconds - now.seconds
            return delay > 0 ? answers.mapValues { Self.shortened($0, by: .seconds(delay)) } : answers
        }
    }

    /// An answer that was there from the start, so many seconds later.
    private static func shortened(
        _ answer: Result<SourceAnswer, SourceError>, by delay: Duration
    ) -> Result<SourceAnswer, SourceError> {
        guard case .failure(var error) = answer, let wait = error.retryAfter, error.status == nil else { return answer }
        error.retryAfter = max(.seconds(1), wait - delay)
        return .failure(error)
    }

    /// The same for a command, which has nothing else to do meanwhile.
    func ask(_ known: [RemoteState.Source]) -> SourceAnswers {
        known.contains { $0.source.service != nil } ? Waiting.answer { await self.answers(known) } : [:]
    }

    private static func answer(_ known: RemoteState.Source, _ now: Timestamp) async -> Result<SourceAnswer, SourceError>
    {
        guard let service = known.source.service else { return .success(.unchanged) }
        if let moment = known.throttledUntil(at: now) {
            if let news = service.takeNews(since: known.version) { return .success(news) }
            let seconds = moment.seconds - now.seconds
            return .failure(
                SourceError(
                    code: .throttled, path: service.name,
                    sentence: "the service wants to be left alone for \(seconds) s more; ask again then",
                    retryAfter: .seconds(seconds)))
        }
        do throws(SourceError) {
            return .success(try await service.fetch(since: known.version))
        } catch {
            return .failure(error)
        }
    }

    /// Hands warnings to services that are made after it.
    private final class WarningBox: Sendable {
        struct Owner { weak var services: Services? }

        let owner = Mutex(Owner())

        @Sendable func warn(_ sentence: String) {
            owner.withLock { $0.services }?.said.withLock { $0.sentences.append(sentence) }
        }
    }
}
