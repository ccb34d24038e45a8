import FlagModel
import FlagRemote
import FlagStorage
import Logging
import Synchronization

// Fetching and activating, as in Firebase's clients.
extension FlagStore {
    /// The status of the remote values.
    public var remoteStatus: RemoteStatus { contents.remoteStatus }

    /// The status of the remote values now and after each change; a slow reader gets only the newest status.
    public var remoteStatuses: AsyncStream<RemoteStatus> {
        updates(of: \.remoteStatus) { $0.old.remoteStatus != $0.new.remoteStatus }.stream
    }

    /// Fetches, and activates according to the store's policy. Waits no longer than the time limit; a later response is
    /// still used.
    ///
    /// If fetched values become active at the next launch, do not wait: fetch in a task instead.
    ///
    /// - Parameter limit: the maximum wait; by default 2 seconds, about as long as users wait for a first screen.
    /// - Returns: the outcome of the fetch; `nil` if the fetch has not ended yet.
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
        async let teamOutcome = teamEngine?.fetch(.all, isActivating: true)
        let outcome = await remote.fetch(
            .olderThan(minimumInterval ?? remote.policy.minimumInterval), isActivating: thenActivating)
        _ = await teamOutcome
        return outcome
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

    /// Fetches changes of the sources and of the team until the task is cancelled. If a service reports changes, the changes are
    /// fetched immediately. Other services are polled, with backoff while they fail, and never while they are rate
    /// limited. Fetched values become active according to the store's policy. Returns immediately if no source can be
    /// followed.
    ///
    /// ```swift
    /// let subscription = Task { await flags.followRemote() }
    /// ```
    public func followRemote() async {
        async let teamUpdates: Void? = teamEngine?.followUpdates()
        await remote.followUpdates()
        _ = await teamUpdates
    }

    /// Sets remote values from outside the store, such as from Firebase's SDK. They win over the values of any source. They
    /// are active immediately, unless the store's values become active at the next launch: then they are in the cache when
    /// this returns, and this run goes on with those that the run before has set last. An app that stops setting values
    /// sets none once, as the last ones stay.
    ///
    /// - Parameter values: all values by key, with `config_categories` if there is a catalog.
    public func updateRemote(_ values: FlagTable<String>) {
        let object = JSONOutput.object(values.sortedByKey.map { ($0.key, .string($0.value)) })
        let bytes = Array(object.text(indented: false).utf8)
        let document: RemoteDocument
        do throws(DocumentError) {
            document = try RemoteDocument(parsing: bytes)
        } catch {
            // An object of strings is always a valid document.
            return logger.error("The values given to updateRemote could not be read: \(error)")
        }
        for issue in document.issues { logger.warning("\(issue)") }
        let now = remote.clock.now()
        if activation == .nextLaunch {
            cachePushed(bytes, at: now)
            replaceContents(.pushed) { $0.pushWaiting(at: now) }
        } else {
            replaceContents(.pushed) { $0.push(document, at: now) }
        }
        publish()
    }

    private func cachePushed(_ bytes: [UInt8], at time: FlagTimestamp) {
        do throws(StorageError) {
            try remote.cachePushed(bytes, at: time)
        } catch {
            logger.error("The values given to updateRemote could not be cached for the next launch: \(error)")
        }
    }
}
