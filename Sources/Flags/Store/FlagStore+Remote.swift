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

    /// Fetches and activates by the store's policy, and waits for that with a time limit. A later response is used all
    /// the same.
    ///
    /// If values become active at the next launch there is nothing to wait for: fetch in a task instead.
    ///
    /// - Parameter limit: how long to wait; 2 seconds by default, as long as a user waits for a first screen.
    /// - Returns: how the fetch ended; `nil` if it has not ended yet.
    @discardableResult
    public func start(waitingAtMost limit: Duration = .seconds(2)) async -> FetchOutcome? {
        await Task { await fetchAndActivate() }.value(within: limit)
    }

    /// Requests newer values from the sources. They wait for activation; values in use do not change.
    ///
    /// - Parameter minimumInterval: how old the last response must be; by default that of the store.
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
    /// - Returns: `true` if any waited.
    @discardableResult
    public func activate() async -> Bool {
        defer { remote.save() }
        return remote.activate()
    }

    /// Fetches, and activates if the store's policy is to do so immediately. If values become active at the next launch, this
    /// is the same as ``fetch(minimumInterval:)``.
    ///
    /// - Parameter minimumInterval: how old the last response must be; by default that of the store. Pass zero if a
    ///   user requests the newest values.
    @discardableResult
    public func fetchAndActivate(minimumInterval: Duration? = nil) async -> FetchOutcome {
        await fetch(minimumInterval, thenActivating: activation == .immediately)
    }

    /// Follows the sources until the task is cancelled. A change that a service reports is fetched at once, and other services
    /// are polled: with backoff while they fail, and never while they are rate limited. Fetched values come into use by the
    /// store's policy. Returns at once if no source can be followed.
    ///
    /// ```swift
    /// let following = Task { await flags.followRemote() }
    /// ```
    public func followRemote() async {
        await remote.follow()
    }

    /// Sets remote values that the app has from elsewhere, such as from Firebase's SDK. They are active at once and win
    /// over those of any source.
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
        for problem in document.problems { logger.warning("\(problem)") }
        take(PushedRemote(document: document, takenAt: remote.clock.now()))
    }
}
