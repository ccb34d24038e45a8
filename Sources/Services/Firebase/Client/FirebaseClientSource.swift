public import FlagModel
public import FlagRemote

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
public final class FirebaseClientSource: RemoteSource {
    let settings: FirebaseClientSettings
    let client: SourceClient
    let installations: FirebaseInstallations
    let memory = FirebaseMemory()

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
    public var identity: SourceIdentity {
        let device = settings.device
        let deviceTexts = [device.facts, device.customSignals, device.userProperties].map { texts in
            texts.sortedByKey.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
        }
        let hash = StableHash.text((deviceTexts + [settings.baseURL.text]).joined(separator: "\n\n"))
        return "firebase:\(settings.app.projectID)/app/\(settings.app.appID)#\(hash)"
    }

    /// The project.
    public var name: String { settings.name }

    /// The poll interval in the settings; `nil` if changes are not detected.
    public var pollInterval: Duration? { settings.changeDetection == .none ? nil : settings.pollInterval }

    /// If realtime updates have delivered values or an error since the last fetch, returns the values or throws the
    /// error; else requests the values.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        if case .values(let bytes, let newVersion)? = try memory.readPendingUpdate(at: client.clock.now()) {
            return newVersion != nil && newVersion == version ? .unchanged : .values(bytes, version: newVersion)
        }
        return try await fetchValues(since: version, .base, progress).result
    }

    /// Requests values, and registers an installation first if there is none.
    func fetchValues(
        since etag: String?, _ type: FirebaseClientSettings.FetchType, _ progress: @escaping ProgressHandler = { _ in }
    ) async throws(SourceError) -> FirebaseFetchResponse {
        let client = client.reporting(to: progress)
        do throws(SourceError) {
            let installation = try await installations.installation(client)
            do throws(SourceError) {
                return try await fetchValues(as: installation, since: etag, type, client)
            } catch {
                guard error.status == 401, installations.recordRejection(of: installation) else { throw error }
                return try await fetchValues(
                    as: try await installations.installation(client), since: etag, type, client)
            }
        } catch {
            throw memory.rateLimited(error, random: client.clock.random(), now: client.clock.now())
        }
    }

    private func fetchValues(
        as installation: FirebaseInstallation, since etag: String?, _ type: FirebaseClientSettings.FetchType,
        _ client: SourceClient
    ) async throws(SourceError) -> FirebaseFetchResponse {
        let request = settings.fetchRequest(installation, since: etag, type)
        let response = try await client.send(request, detail: FirebaseServiceError.detail)
        let result = try FirebaseFetchResponse(response, since: etag, of: name) { request.masking($0) }
        memory.record(result, known: etag)
        return result
    }

    /// Decodes the entries as flags.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        // Cached values of an earlier run are decoded before the first request, so that their template counts as known.
        let root = try FirebaseFetchFlags.root(of: bytes)
        if let version = FirebaseFetchFlags.templateVersion(root) { memory.record(templateVersion: version) }
        return FirebaseFetchFlags.document(root, keyPrefix: settings.keyPrefix)
    }

    /// Subscribes to realtime updates. The stream ends if the service has disabled them, or rejects the app.
    public func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard settings.changeDetection == .events else { return nil }
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveUpdateEvent.self, bufferingPolicy: .bufferingNewest(64))
        let subscription = FirebaseSubscription(source: self, updates: continuation)
        let task = Task {
            await subscription.run()
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
