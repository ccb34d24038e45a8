import FlagModel
import FlagRemote
import Logging
import Synchronization

// Fetching and activating, as Firebase's clients do it.
extension FlagStore {
    /// How the remote values stand.
    public var remoteStatus: RemoteStatus { state.withLock { $0.remoteStatus } }

    /// How the remote values stand now and after each change: whoever takes it late gets the newest.
    public var remoteStatuses: AsyncStream<RemoteStatus> { updates(of: \.remoteStatus, \.statusFeeds) }

    /// Fetches and activates by the store's policy, and waits for that no longer than is bearable. What comes later is
    /// used as if it had come in time.
    ///
    /// Where values become active at the next launch there is nothing to wait for: begin a task that fetches instead.
    ///
    /// - Parameter limit: how long to wait; 2 seconds unless told otherwise, as long as a user waits for a first screen.
    /// - Returns: how the fetch ended; `nil` when it has not ended yet.
    @discardableResult
    public func start(waitingAtMost limit: Duration = .seconds(2)) async -> FetchOutcome? {
        await Task { await fetchAndActivate() }.value(within: limit)
    }

    /// Asks the sources for newer values. They wait until they are activated; nothing that is read changes.
    ///
    /// - Parameter minimumInterval: how old the last answer must be; left out, what the store was opened with.
    @discardableResult
    public func fetch(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: false)
    }

    private func fetch(_ minimumInterval: Duration?, thenActivating: Bool) async -> FetchOutcome {
        await remote.fetch(
            .olderThan(minimumInterval ?? remote.policy.minimumInterval), isActivating: thenActivating)
    }

    /// Makes the values that were fetched last the ones that are read.
    ///
    /// - Returns: `true` when any waited.
    @discardableResult
    public func activate() async -> Bool {
        defer { remote.save() }
        return remote.activate()
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

    /// Follows the sources until the task is cancelled. What a service tells of is fetched at once, and sources that want to
    /// be asked regularly are: while they fail less and less often, and never while they want to be left alone. Fetched
    /// values come into use by the store's policy. Returns at once where no source changes by itself.
    ///
    /// ```swift
    /// let following = Task { await flags.followRemote() }
    /// ```
    public func followRemote() async {
        await remote.follow()
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
        take(PushedRemote(document: document, takenAt: remote.clock.now()))
    }
}
