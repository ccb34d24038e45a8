public import FlagModel
public import FlagRemote
import Synchronization

/// Flags that Firebase's servers evaluate for one app on one device, as for the SDK in that app.
///
/// ```swift
/// let app = try FirebaseApp(googleServices: bytes)
/// var settings = try FirebaseClientSettings(app)
/// settings.device = try FirebaseDevice(context)
/// let flags = FlagStore(app: "shop", sources: [FirebaseClientSource(settings, client: client)])
/// ```
///
/// Firebase identifies an app on a device by an installation. Percentage conditions depend on it. With a file the
/// installation is the same in each run, as with the SDK; without a file each run registers a new installation.
public actor FirebaseClientSource: RemoteSource {
    nonisolated let settings: FirebaseClientSettings
    nonisolated let client: SourceClient
    nonisolated let installations: FirebaseInstallations

    /// The ETag of the last received values.
    private(set) var etag: String?
    /// The version of the template that the last received values are from; 0 before there are any.
    private var receivedVersion = 0
    /// The same of values that an earlier run has cached, which are decoded before the first request.
    private nonisolated let cachedVersion = Atomic(0)
    /// The version of a reported template that the service did not return.
    private var missingVersion: Int?
    /// A response to a realtime update, or an error; `nil` after a fetch has returned or thrown it.
    private var pendingUpdate: Result<FetchResult, SourceError>?
    /// How many requests in a row failed.
    private var failures = 0
    /// The last failure that started a backoff, and its end.
    private var lastRateLimit: (error: SourceError, until: FlagTimestamp)?

    /// The waits after failures in a row, as in the SDK for iOS.
    private static let backoff = Backoff(first: .seconds(120), longest: .seconds(14_400))

    /// A source that has sent no request yet.
    ///
    /// - Parameter file: the file named ``FirebaseClientSettings/installationFileName``, which stores the installation
    ///   between runs; `nil` to store nothing.
    public init(
        _ settings: FirebaseClientSettings, client: SourceClient, cachedIn file: FirebaseInstallationFile? = nil
    ) {
        self.settings = settings
        // Firebase's SDKs send one request per fetch and back off after a failure.
        self.client = client.withoutRetries
        installations = FirebaseInstallations(settings, cachedIn: file)
    }

    /// The project and the app, and a short hash of the device. The device is hashed, as its facts may be personal.
    public nonisolated var identity: SourceIdentity {
        let device = settings.device
        let deviceTexts = [device.facts, device.customSignals, device.userProperties].map { texts in
            texts.sortedByKey.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
        }
        let hash = StableHash.text((deviceTexts + [settings.baseURL.text]).joined(separator: "\n\n"))
        return "firebase:\(settings.app.projectID)/app/\(settings.app.appID)#\(hash)"
    }

    /// The project.
    public nonisolated var name: String { settings.name }

    /// The poll interval in the settings; `nil` if changes are not detected.
    public nonisolated var pollInterval: Duration? {
        settings.changeDetection == .none ? nil : settings.pollInterval
    }

    /// If realtime updates have delivered values or an error since the last fetch, returns the values or throws the
    /// error; else requests the values.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        if case .values(let bytes, let newVersion)? = try readPendingUpdate() {
            return newVersion != nil && newVersion == version ? .unchanged : .values(bytes, version: newVersion)
        }
        return try await fetchValues(since: version, "BASE/1", progress)
    }

    /// Removes the stored response or error, and returns or throws it; `nil` if there is none, or its rate limit has
    /// ended.
    private func readPendingUpdate() throws(SourceError) -> FetchResult? {
        let update = pendingUpdate
        pendingUpdate = nil
        if case .failure(let error)? = update, error.retryAfter != nil {
            guard let rateLimit else { return nil }
            throw rateLimit
        }
        return try update?.get()
    }

    /// Requests values, and registers an installation first if there is none.
    ///
    /// - Parameter type: the reason for the request, which is sent to the service: `BASE/1` if the user or the app
    ///   requests the values, else `REALTIME/` and the number of the request since the service has reported a change.
    func fetchValues(
        since etag: String?, _ type: String, _ progress: @escaping ProgressHandler = { _ in }
    ) async throws(SourceError) -> FetchResult {
        let client = client.reporting(to: progress)
        do throws(SourceError) {
            let installation = try await installations.installation(client)
            do throws(SourceError) {
                return try await fetchValues(as: installation, since: etag, type, client)
            } catch {
                guard error.status == 401, await installations.recordRejection(of: installation) else { throw error }
                return try await fetchValues(
                    as: try await installations.installation(client), since: etag, type, client)
            }
        } catch {
            throw recordFailure(error)
        }
    }

    private func fetchValues(
        as installation: FirebaseInstallation, since etag: String?, _ type: String, _ client: SourceClient
    ) async throws(SourceError) -> FetchResult {
        let request = settings.fetchRequest(installation, since: etag, type)
        let response = try await client.send(request, detail: FirebaseServiceError.detail)
        let (result, version) = try FirebaseFetchFlags.result(response, since: etag, of: name) { request.masking($0) }
        (failures, lastRateLimit) = (0, nil)
        // Unchanged values have the ETag of the request.
        self.etag = if case .values(_, let version) = result { version } else { etag }
        if let version { receivedVersion = version }
        return result
    }

    /// Adds a wait to a failure, and records the failure. The wait is the service's `Retry-After` or, after a status
    /// that means overload, the backoff of the SDK. After a failed connection there is no wait.
    private func recordFailure(_ error: SourceError) -> SourceError {
        var error = error
        if [429, 500, 503, 504].contains(error.status), error.retryAfter == nil {
            failures += 1
            error.retryAfter = Self.wait(afterFailures: failures, random: client.clock.random())
        }
        if let wait = error.retryAfter?.components.seconds {
            lastRateLimit = (error, FlagTimestamp(seconds: client.clock.now().seconds + wait))
        }
        return error
    }

    /// The wait after the nth failure in a row, in whole seconds.
    static func wait(afterFailures failures: Int, random: Double) -> Duration {
        .seconds(backoff.wait(afterFailures: failures, random: random).secondsRoundedUp)
    }

    /// Decodes the entries as flags.
    public nonisolated func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let root = try FirebaseFetchFlags.root(of: bytes)
        if let version = FirebaseFetchFlags.templateVersion(root) {
            cachedVersion.max(version, ordering: .relaxed)
        }
        return FirebaseFetchFlags.document(root, keyPrefix: settings.keyPrefix)
    }

    /// Subscribes to realtime updates. The stream ends if the service has disabled them, or rejects the app.
    public nonisolated func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard settings.changeDetection == .events else { return nil }
        return .reported { updates in
            var subscription = FirebaseSubscription(source: self, updates: updates)
            await subscription.run()
        }
    }

    // For realtime updates.

    /// The version of the newest template that the source has values of; 0 before there are any.
    var knownVersion: Int { max(receivedVersion, cachedVersion.load(ordering: .relaxed)) }

    /// The error of a request during a backoff, with the remaining wait; `nil` if a request may be sent.
    var rateLimit: SourceError? {
        guard var rateLimit = lastRateLimit else { return nil }
        let wait = rateLimit.until.seconds - client.clock.now().seconds
        guard 1...RetryAfter.longest.components.seconds ~= wait else { return nil }
        rateLimit.error.retryAfter = .seconds(wait)
        return rateLimit.error
    }

    /// Stores a response, or an error, for the next fetch.
    func store(_ update: Result<FetchResult, SourceError>) { pendingUpdate = update }

    /// Records that the service did not return a reported template: it may not have the template yet, or the template
    /// changes no values. The second time the template counts as known.
    func recordMissing(templateVersion: Int) {
        if missingVersion == templateVersion { receivedVersion = max(receivedVersion, templateVersion) }
        missingVersion = templateVersion
    }
}
