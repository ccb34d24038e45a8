import FlagModel
import FlagSourceSupport
import Logging
import Synchronization

// Fetching and activating, as Firebase's clients do it.
extension FlagStore {
    /// How the remote values stand.
    public var remoteStatus: RemoteStatus { state.withLock { $0.remoteStatus } }

    /// How the remote values stand now and after each change: whoever takes it late gets the newest.
    public var remoteStatuses: AsyncStream<RemoteStatus> {
        let (statuses, news) = AsyncStream.makeStream(of: RemoteStatus.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastFeed += 1
            state.statusFeeds[state.lastFeed] = news
            news.yield(state.remoteStatus)
            return state.lastFeed
        }
        news.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.statusFeeds.removeValue(forKey: number) }
        }
        return statuses
    }

    /// Fetches and activates by the store's policy, and waits for that no longer than is bearable. What comes later is
    /// used as if it had come in time.
    ///
    /// Where values become active at the next launch there is nothing to wait for: begin a task that fetches instead.
    ///
    /// - Parameter limit: how long to wait; 2 seconds unless told otherwise, as long as a user waits for a first screen.
    /// - Returns: how the fetch ended; `nil` when it has not ended yet.
    @discardableResult
    public func start(waitingAtMost limit: Duration = .seconds(2)) async -> FetchOutcome? {
        let (outcomes, first) = AsyncStream.makeStream(of: FetchOutcome?.self, bufferingPolicy: .bufferingOldest(1))
        Task { first.yield(await fetchAndActivate()) }
        let alarm = Task {
            try await Task.sleep(for: limit)
            first.yield(nil)
        }
        defer { alarm.cancel() }
        for await outcome in outcomes { return outcome }
        return nil
    }

    /// Asks the sources for newer values. They wait until they are activated; nothing that is read changes.
    ///
    /// - Parameter minimumInterval: how old the last answer must be; left out, what the store was opened with.
    @discardableResult
    public func fetch(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: false)
    }

    private func fetch(_ minimumInterval: Duration?, thenActivating: Bool) async -> FetchOutcome {
        let outcome = await remote.fetch(minimumInterval: minimumInterval) { [weak self] in
            self?.tellStatus { $0.sourceStatus = .loading }
        }
        // Before the status changes: whoever is told that values are loaded reads them.
        if thenActivating { await activate() }
        let current = await remote.current
        takeStatus(of: current)
        if let problem = current.problem { logger.warning("\(problem)") }
        return outcome
    }

    /// Makes the values that were fetched last the ones that are read.
    ///
    /// - Returns: `true` when any waited.
    @discardableResult
    public func activate() async -> Bool {
        guard await remote.activate() else { return false }
        let current = await remote.current
        takeRemote { $0.opened = current }
        return true
    }

    /// Fetches, and activates where the store's policy is to do so immediately. Where values become active at the next
    /// launch, this is the same as ``fetch(minimumInterval:)``.
    ///
    /// - Parameter minimumInterval: how old the last answer must be; left out, what the store was opened with. Zero is for
    ///   a user who asks for the newest values.
    @discardableResult
    public func fetchAndActivate(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: activation == .immediately)
    }

    /// Takes over remote values that the app has from elsewhere, such as from the SDK of Firebase. They are active at
    /// once and go before those of any source.
    ///
    /// - Parameter values: all values by key, `config_categories` among them where there is a catalog.
    public func updateRemote(_ values: [String: String]) {
        let object = JSONOutput.object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let document: RemoteDocument
        do throws(DocumentError) {
            document = try RemoteDocument(parsing: Array(object.text(indented: false).utf8))
        } catch {
            // An object of strings is always a document.
            return logger.error("The values given to updateRemote could not be read: \(error)")
        }
        for problem in document.problems { logger.warning("\(problem)") }
        let pushed = PushedRemote(document: document, takenAt: remote.now())
        takeRemote { $0.pushed = pushed }
        tellStatus { _ in }
    }

    /// Takes over how the sources stand.
    func takeStatus(of sources: OpenedRemote) {
        tellStatus { state in
            state.sourceStatus = sources.status
            state.remoteProblems = sources.problems
        }
    }

    private func tellStatus(after change: (inout StoreState) -> Void) {
        // Told under the lock, so that the newest status is told last.
        state.withLock { state in
            change(&state)
            let status = state.currentStatus
            guard state.remoteStatus != status else { return }
            state.remoteStatus = status
            for feed in state.statusFeeds.values { feed.yield(status) }
        }
    }
}
