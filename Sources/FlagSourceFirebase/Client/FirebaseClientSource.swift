public import FlagModel
public import FlagRemote

/// Flags as Firebase's servers evaluate them for one app on one device: what the SDK in that app would fetch.
///
/// ```swift
/// let app = try FirebaseApp(googleServices: bytes)
/// var settings = try FirebaseClientSettings(app)
/// settings.device = try FirebaseDevice(context)
/// let flags = FlagStore(app: "shop", sources: [FirebaseClientSource(settings, client: client)])
/// ```
///
/// Firebase identifies an app on a device by its installation, which percentage conditions use. With a file it is the
/// same in each run, as with the SDK; without one each run registers a new one, as a newly installed app does.
public final class FirebaseClientSource: RemoteSource {
    let settings: FirebaseClientSettings
    let client: SourceClient
    let installations: FirebaseInstallations
    let memory: FirebaseMemory
    /// The file of state that outlives a run.
    let file: FirebaseRecordFile

    /// A source that has sent no request yet.
    ///
    /// - Parameter file: where the installation is stored between runs, by the name that
    ///   ``FirebaseClientSettings/installationFileName`` gives.
    public init(_ settings: FirebaseClientSettings, client: SourceClient, keptIn file: FirebaseInstallationFile? = nil)
    {
        self.settings = settings
        // Firebase's SDKs send one request per fetch and back off after a failure.
        self.client = client.withoutRetries
        self.file = FirebaseRecordFile(key: settings.installationKey, file: file)
        installations = FirebaseInstallations(settings, keptIn: self.file)
        memory = FirebaseMemory(keptIn: self.file, of: settings.name)
    }

    /// The project and the app, and a short hash of the device, which may name people.
    public var identity: SourceIdentity {
        let device = settings.device
        let said = [device.facts, device.customSignals, device.userProperties].map { texts in
            texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
        }
        let hash = StableHash.text((said + [settings.baseURL.text]).joined(separator: "\n\n"))
        return "firebase:\(settings.app.projectID)/app/\(settings.app.appID)#\(hash)"
    }

    /// The project.
    public var name: String { settings.name }

    /// As in the settings; `nil` if changes are not detected.
    public var pollInterval: Duration? { settings.changeDetection == .none ? nil : settings.pollInterval }

    /// Returns what realtime updates have brought since the last fetch, even an error, without a request; else requests
    /// the values.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        if case .values(let bytes, let newVersion)? = try memory.takeNews(at: client.clock.now()) {
            return newVersion != nil && newVersion == version ? .unchanged : .values(bytes, version: newVersion)
        }
        return try await ask(since: version, .base, progress).answer
    }

    /// Requests values, with an installation that it registers if there is none.
    func ask(
        since etag: String?, _ type: FirebaseClientSettings.FetchType, _ progress: @escaping ProgressHandler = { _ in }
    ) async throws(SourceError) -> FirebaseFetchAnswer {
        let client = client.reporting(to: progress)
        let installation = try await installations.installation(client)
        do throws(SourceError) {
            return try await ask(as: installation, since: etag, type, client)
        } catch {
            guard error.status == 401, installations.refused(installation) else { throw error }
            return try await ask(as: try await installations.installation(client), since: etag, type, client)
        }
    }

    private func ask(
        as installation: FirebaseInstallation, since etag: String?, _ type: FirebaseClientSettings.FetchType,
        _ client: SourceClient
    ) async throws(SourceError) -> FirebaseFetchAnswer {
        do throws(SourceError) {
            let request = settings.fetchRequest(installation, since: etag, type)
            let response = try await client.send(request, detail: FirebaseRefusal.detail)
            let answer = try FirebaseFetchAnswer(response, since: etag, of: name) { request.masking($0) }
            memory.note(answer, known: etag)
            return answer
        } catch {
            throw memory.throttled(error, chance: client.clock.chance(), now: client.clock.now())
        }
    }

    /// Decodes the entries as flags.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        // Values of an earlier run are decoded first, and their template counts as known then.
        let root = try FirebaseFetchFlags.root(of: bytes)
        if let version = FirebaseFetchFlags.templateVersion(root) { memory.note(templateVersion: version) }
        return FirebaseFetchFlags.document(root, keyPrefix: settings.keyPrefix)
    }

    /// Subscribes to realtime updates. The stream ends if the service has disabled them, or rejects the app.
    public func changes() -> AsyncStream<SourceHint>? {
        guard settings.changeDetection == .events else { return nil }
        let (hints, news) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(64))
        let listening = FirebaseListening(source: self, news: news)
        let task = Task {
            await listening.run()
            news.finish()
        }
        news.onTermination = { _ in task.cancel() }
        return hints
    }
}
