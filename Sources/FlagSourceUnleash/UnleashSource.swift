import Essentials
public import FlagModel
public import FlagRemote
import Synchronization

/// Flags from Unleash, evaluated by its server: the front-end API.
///
/// ```swift
/// var settings = try UnleashSettings(baseURL: "https://unleash.example.com", token: Secret(token))
/// settings.context.userID = user.id
/// let flags = FlagStore(app: "shop", sources: [UnleashSource(settings, client: client)])
/// ```
///
/// It only reads: neither is it registered as an app, nor does it report which flags were looked at.
public final class UnleashSource: RemoteSource {
    private let settings: UnleashSettings
    private let client: SourceClient
    private let connection = UUID().uuidString.lowercased()
    private let memory = Mutex(ToggleMemory())

    /// A source that has asked nothing yet.
    public init(_ settings: UnleashSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The address, and as short hashes for whom toggles are evaluated and in which environment.
    public var identity: SourceIdentity {
        let whom = StableHash.text("\(settings.context.json)\n\(settings.keyPrefix)")
        let scope = settings.scope.isEmpty ? "" : ".\(StableHash.text(settings.scope))"
        return "unleash:\(RedactedURL.text(settings.baseURL))#\(whom)\(scope)"
    }

    /// The host that is asked, behind the kind of service.
    public var name: String { settings.name }

    /// The settings' refresh interval.
    public var pollInterval: Duration? { settings.refreshInterval.flatMap { $0 > .zero ? $0 : nil } }

    /// Asks for all toggles that are on.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        let version = settings.question == .get ? version : nil
        let response = try await client.reporting(to: progress).send(
            settings.request(since: version, connection: connection), detail: UnleashSettings.detail)
        let answer = try SourceAnswer(response, since: version, of: name)
        guard case .values(let body, let newVersion) = answer else { return answer }
        let now = client.clock.now()
        let complete = try SourceError.reading(name) { () throws(DocumentError) in
            try memory.withLock { (memory) throws(DocumentError) in try memory.completing(body, at: now) }
        }
        return .values(complete, version: settings.question == .get ? newVersion : nil)
    }

    /// Reads every toggle of an answer, and remembers them: one that is missing later is off. What was kept comes here as
    /// well, before the service is asked whether it has changed.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let toggles = try UnleashAnswer.toggles(of: bytes)
        memory.withLock { $0.learn(toggles) }
        return UnleashFlags.document(toggles, keyPrefix: settings.keyPrefix)
    }
}
