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
/// The source neither registers as an app, nor reports which flags were read.
public final class UnleashSource: RemoteSource {
    private let settings: UnleashSettings
    private let client: SourceClient
    private let connection = UUID().uuidString.lowercased()
    private let memory = Mutex(ToggleMemory())

    /// A source that has sent no request yet.
    public init(_ settings: UnleashSettings, client: SourceClient) {
        (self.settings, self.client) = (settings, client)
    }

    /// The URL, and short hashes of the evaluation context and the environment.
    public var identity: SourceIdentity {
        SourceIdentity(
            "unleash", settings.baseURL, context: "\(settings.context.json)\n\(settings.keyPrefix)",
            environment: settings.scope)
    }

    /// The scheme, and the server's host and port.
    public var name: String { settings.name }

    /// The refresh interval in the settings; `nil` if it is zero.
    public var pollInterval: Duration? { settings.refreshInterval.flatMap { $0 > .zero ? $0 : nil } }

    /// Requests all toggles that are on. With a backend token, also requests the names of all toggles.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        // A 304 would hide new toggles that are off.
        let canBeUnchanged = settings.requestMethod == .get && settings.backendToken == nil
        let version = canBeUnchanged ? version : nil
        let result = try await client.fetch(
            settings.request(since: version, connection: connection), since: version, hasVersions: canBeUnchanged,
            explainedBy: ["message"], progress: progress
        ) { $0 }
        guard case .values(let body, let newVersion) = result else { return result }
        if let token = settings.backendToken { await readNames(token, progress) }
        let complete = try SourceError.reading(
            name,
            value: try memory.withLock { (memory) throws(DocumentError) in
                try memory.completing(body, at: client.clock.now())
            })
        return .values(complete, version: newVersion)
    }

    /// Reads the names of all toggles. If that fails, the earlier names stay in use, with a warning in the document.
    private func readNames(_ token: Secret, _ progress: @escaping ProgressHandler) async {
        let version = memory.withLock { $0.namesVersion }
        var names: [FlagText]?
        do throws(SourceError) {
            let result = try await client.fetch(
                settings.namesRequest(token, since: version), since: version, explainedBy: ["message"],
                progress: progress
            ) { body throws(DocumentError) in
                names = try UnleashResponse.names(of: body)
                return body
            }
            memory.withLock { memory in
                memory.warning = nil
                if case .values(_, let newVersion) = result {
                    (memory.allNames, memory.namesVersion) = (names, newVersion)
                }
            }
        } catch {
            memory.withLock {
                $0.warning = "the names of all toggles were not read with the backend token: \(error.sentence)"
            }
        }
    }

    /// Decodes every toggle of a response, and records the toggles, so that a toggle that is missing later counts as
    /// off. Cached responses are decoded here as well, before the first request.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let root = try JSONDocument(document: bytes).root
        let toggles = try UnleashResponse.toggles(in: root)
        memory.withLock { $0.learn(toggles) }
        let warning = root[ToggleMemory.warningName]?.text?.string
        return UnleashFlags.document(toggles, keyPrefix: settings.keyPrefix, warning: warning)
    }
}

extension UnleashSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "unleash:\(baseURL.authority)" }

    /// The request for all toggles that are on (`GET` or `POST /api/frontend`).
    ///
    /// - Parameters:
    ///   - version: the ETag of the known toggles; `nil` for a complete response. The service responds 304 to `GET`
    ///     only.
    ///   - connection: a UUID that identifies this run.
    public func request(since version: String? = nil, connection: String? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/api/frontend")
        var headers = SourceHeaders([("Content-Type", "application/json"), ("unleash-appname", context.appName)])
        // The token is sent without "Bearer".
        if !token.isEmpty { headers.set("Authorization", secret: token) }
        if let connection { headers["unleash-connection-id"] = connection }
        guard requestMethod == .get else {
            return SourceRequest(
                json: name, url: url, headers: headers, body: .object([("context", .raw(context.json))]))
        }
        for item in context.query { url = url.adding(query: item.name, item.value) }
        return SourceRequest(json: name, url: url, headers: headers, since: version)
    }

    /// The request for the names of all toggles (`GET /api/client/features`), with a backend token.
    ///
    /// - Parameter version: the ETag of the cached names; `nil` for a complete response.
    public func namesRequest(_ backendToken: Secret, since version: String? = nil) -> SourceRequest {
        var headers = SourceHeaders([("unleash-appname", context.appName)])
        headers.set("Authorization", secret: backendToken)
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/api/client/features"), headers: headers, since: version)
    }
}
