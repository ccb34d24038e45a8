import FlagFormats
public import FlagModel
public import FlagRemote

/// Flags from a Remote Config template, read from Firebase's REST API and evaluated here.
///
/// ```swift
/// let authorization = FirebaseAuthorization(.serviceAccount(try ServiceAccount(path: "service-account.json")))
/// var settings = FirebaseTemplateSettings(
///     try FirebaseTemplates(of: "shop", namespace: .server, authorization: authorization))
/// settings.context = TemplateContext(randomizationID: "user-1", signals: ["level": 5])
/// let flags = FlagStore(app: "shop", sources: [FirebaseTemplateSource(settings, client: client)])
/// ```
///
/// The template itself is cached, so that it can be evaluated for another context without a request.
public struct FirebaseTemplateSource: RemoteSource {
    private let settings: FirebaseTemplateSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: FirebaseTemplateSettings, client: SourceClient) {
        (self.settings, self.client) = (settings, client)
    }

    /// The project, the namespace, and a short hash of the URL. Credentials do not affect the values.
    public var identity: SourceIdentity {
        let templates = settings.templates
        let version = settings.version.map { "@\($0)" } ?? ""
        let template = "\(templates.projectID)/\(templates.namespace.rawValue)\(version)"
        return "firebase:\(template)#\(StableHash.text(templates.baseURL.text))"
    }

    /// The project.
    public var name: String { settings.templates.name }

    /// The poll interval in the settings; `nil` if the settings name a version, as a version never changes.
    public var pollInterval: Duration? { settings.version == nil ? settings.pollInterval : nil }

    /// Requests the template.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let response = try await settings.templates.response(
            client.reporting(to: progress), version: settings.version, since: version, isForEvaluation: true)
        let result = try FetchResult(response, since: version, of: name)
        // Firebase does not document whether it responds 304 to this request, so the ETag is compared as well.
        if case .values(_, let etag?) = result, etag == version { return .unchanged }
        return result
    }

    /// Decodes a template, and evaluates its parameters for the context in the settings.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let document = try JSONDocument(document: bytes)
        let members = ["conditions", "parameters", "parameterGroups", "version"]
        // The response for a project without a template is nearly empty.
        guard document.root.count == 0 || members.contains(where: { document.root[$0] != nil }) else {
            throw .unknownShape("the response is not a template; is this the URL of Remote Config?")
        }
        let template = try FirebaseTemplate(document)
        return RemoteDocument(
            template.flags(
                in: settings.context, forced: settings.forcedConditions, keyPrefix: settings.keyPrefix))
    }
}

/// Which template of a project to read, and how to evaluate it.
public struct FirebaseTemplateSettings: Sendable {
    /// The default poll interval: a minute. The service for templates does not report changes.
    public static let defaultPollInterval = Duration.seconds(60)

    /// The project's templates, with their authorization.
    public let templates: FirebaseTemplates
    /// The number of a version; `nil` for the newest.
    public var version: Int?
    /// The evaluation context of a server template.
    public var context = TemplateContext()
    /// The names of conditions whose rules are ignored, each with whether the condition applies. The conditions of a
    /// client template, which only Firebase's servers evaluate, do not apply unless they are forced.
    public var forcedConditions: [FlagText: Bool] = [:]
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""
    /// How often the newest template is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval

    /// Settings for the newest template of a project.
    public init(_ templates: FirebaseTemplates) { self.templates = templates }
}
