import FlagModel
import FlagRemote
import Logging
import Synchronization

// Fetching and activating, as in Firebase's clients.
extension FlagStore {
    /// The status of the remote values.
    public var remoteStatus: RemoteStatus { state.withLock { $0.remoteStatus } }

    /// The status of the remote values now and after each change; a slow reader gets the newest.
    public var remoteStatuses: AsyncStream<RemoteStatus> { updates(of: \.remoteStatus, \.statusFeeds) }

    /// Fetches and activates by the store's policy, and waits at most for the time limit. A later response is used,
    /// too.
    ///
    /// If fetched values become active at the next launch, do not wait: fetch in a task instead.
    ///
    /// - Parameter limit: the longest wait; by default 2 seconds, about as long as users wait for a first screen.
    /// - Returns: the outcome of the fetch; `nil` if it has not ended yet.
    @discardableResult
    public func start(waitingAtMost limit: Duration = .seconds(2)) async -> FetchOutcome? {
        await Task { await fetchAndActivate() }.value(within: limit)
    }

    /// Requests newer values from the sources. Fetched values wait for activation; values in use do not change.
    ///
    /// - Parameter minimumInterval: the age at which the last response is too old; by default that of the store.
    @discardableResult
    public func fetch(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: false)
    }

    private func fetch(_ minimumInterval: Duration?, thenActivating: Bool) async -> FetchOutcome {
        await remote.fetch(
            .olderThan(minimumInterval ?? remote.policy.minimumInterval), isActivating: thenActivating)
    }

    /// Activates the fetched values.
    ///
    /// - Returns: whether fetched values waited for activation.
    @discardableResult
    public func activate() async -> Bool {
        defer { remote.save() }
        return remote.activate()
    }

    /// Fetches, and activates if the store activates immediately. If values become active at the next launch, this is
    /// the same as ``fetch(minimumInterval:)``.
    ///
    /// - Parameter minimumInterval: the age at which the last response is too old; by default that of the store. Pass
    ///   zero if a user requests the newest values.
    @discardableResult
    public func fetchAndActivate(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: activation == .immediately)
    }

    /// Fetches changes of the sources until the task is cancelled. If a service reports changes, they are fetched
    /// immediately; other services are polled, with backoff while they fail, and never while they are rate limited.
    /// Fetched values become active by the store's policy. Returns immediately if no source can be followed.
    ///
    /// ```swift
    /// let subscription = Task { await flags.followRemote() }
    /// ```
    public func followRemote() async {
        await remote.followUpdates()
    }

    /// Sets remote values from outside the store, such as from Firebase's SDK. They are active immediately and win over
    /// those of any source.
    ///
    /// - Parameter values: all values by key, with `config_categories` if there is a catalog.
    public func updateRemote(_ values: [String: String]) {
        let object = JSONOutput.object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let document: RemoteDocument
        do throws(DocumentError) {
            document = try RemoteDocument(parsing: Array(object.text(indented: false).utf8))
        } catch {
            // An object of strings is always a valid document.
            return logger.error("The values given to updateRemote could not be read: \(error)")
        }
        for issue in document.issues { logger.warning("\(issue)") }
        take(PushedRemote(document: document, takenAt: remote.clock.now()))
    }
}
