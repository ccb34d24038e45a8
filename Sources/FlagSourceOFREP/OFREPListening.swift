import FlagModel
import FlagSourceSupport

/// Listens to whatever streams a server offers at the time, and says what they tell.
struct OFREPListening: Sendable {
    private let settings: OFREPSettings
    private let client: SourceClient
    private let news: AsyncStream<SourceHint>.Continuation
    private let note: @Sendable (RefetchHint) -> Void

    init(
        _ settings: OFREPSettings, _ client: SourceClient, _ news: AsyncStream<SourceHint>.Continuation,
        _ note: @escaping @Sendable (RefetchHint) -> Void
    ) {
        self.settings = settings
        self.client = client
        self.news = news
        self.note = note
    }

    /// Listens until the task is cancelled or the addresses end. A changed set of streams ends the connections of the old
    /// one; the same set goes on with them.
    func run(_ addresses: AsyncStream<Set<EventStreamAddress>>) async {
        var running: [EventStreamAddress: Task<Void, Never>] = [:]
        for await wanted in addresses {
            for (address, task) in running where !wanted.contains(address) {
                task.cancel()
                running[address] = nil
            }
            for address in wanted where running[address] == nil {
                running[address] = Task { await listen(to: address) }
            }
        }
        for task in running.values { task.cancel() }
    }

    private func listen(to address: EventStreamAddress) async {
        let feed = EventFeed(client, settings.request(for: address))
        await feed.run { happened in
            switch happened {
            case .opened:
                news.yield(.connected)
                // What changed before was told to nobody, at the first connection too: it comes after the first answer.
                news.yield(.changed)
            case .event(let event):
                guard let hint = RefetchHint(event) else { break }
                note(hint)
                news.yield(.changed)
            case .lost(let error, _): news.yield(.disconnected(error))
            }
            return true
        }
    }
}

extension RefetchHint {
    /// Reads an event. The kind stands in its data, whatever the event is called; kinds that are not known say nothing.
    init?(_ event: ServerSentEvent) {
        guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root,
            root["type"]?.text?.string == "refetchEvaluation"
        else { return nil }
        etag = root["etag"]?.text?.string
        lastModified = root["lastModified"].flatMap { $0.kind == .number ? $0.source : $0.text?.string }
    }
}
