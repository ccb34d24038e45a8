public import FlagModel
public import FlagRemote

// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret

/// Settings for LaunchDarkly, with the API of its SDKs for browsers or, with a mobile key, for mobile apps.
public struct LaunchDarklySettings: Sendable, Hashable {
    /// The base URL of the newer SDKs (`Endpoints.ts` of js-core).
    public static let defaultBaseURL = "https://clientsdk.launchdarkly.com"
    /// The stream URL of the SDKs.
    public static let defaultStreamURL = "https://clientstream.launchdarkly.com"
    /// How often the SDKs poll while an app is visible: 300 seconds.
    public static let defaultPollInterval = Duration.seconds(300)
    /// The shortest poll interval, as in the SDKs: 30 seconds.
    public static let leastPollInterval = Duration.seconds(30)

    /// The client-side ID or, if there is a mobile key, any name for the environment.
    public let environment: String
    /// The URL for requests.
    public let baseURL: SourceURL
    /// The URL for the stream of changes.
    public let streamURL: SourceURL
    /// The key of the environment for mobile apps; `nil` for the API of browsers.
    public var mobileKey: Secret?
    /// The HMAC of the context's key, which the app's server computes. An environment in secure mode requires it as a
    /// proof that the context is genuine.
    public var secureModeHash: Secret?
    /// The evaluation context.
    public var context = LaunchDarklyContext()
    /// Whether the context is sent in the body, with the method REPORT, so that it is not in URL logs. If the service
    /// or a proxy does not know that method, the context is sent in the URL anyway.
    public var usesReport = false
    /// Whether the service is to send the reason for each flag's value.
    public var wantsReasons = true
    /// How changes are noticed.
    public var changeDetection = ChangeDetection.events
    /// How often the service is polled, at most every 30 seconds; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""

    /// Settings for an environment.
    ///
    /// - Parameters:
    ///   - environment: the client-side ID, which is not secret; for `ldcli dev-server` the key of the project. With a
    ///     mobile key, any name that distinguishes environments.
    ///   - baseURL: the URL of a Relay Proxy or a dev server; `nil` for LaunchDarkly's.
    ///   - streamURL: the URL for the stream, if it is not `baseURL`.
    /// - Throws: why the environment or a URL is not valid.
    public init(environment: String, baseURL: String? = nil, streamURL: String? = nil) throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(.rejected, of: "launchdarkly", sentence)
        }
        // Other characters are rejected, as the text may be a URL with a credential, such as after a "?".
        guard !environment.isEmpty,
            environment.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "._-~".contains($0) })
        else {
            throw failure("an environment is named by its client-side ID, of letters, digits, \".\", \"_\" and \"-\"")
        }
        guard !RedactedURL.isSDKKey(environment) else {
            // A key is a credential, so it is not shown.
            throw failure(
                "this is a key, not a client-side ID, which the console shows beside it; a key never belongs in a name")
        }
        self.environment = environment
        self.baseURL = try Self.address(baseURL ?? Self.defaultBaseURL)
        self.streamURL = try Self.address(streamURL ?? baseURL ?? Self.defaultStreamURL)
    }

    /// A sentence if ``pollInterval`` is shorter than LaunchDarkly allows, so that it is raised; else `nil`.
    var pollWarning: String? {
        guard changeDetection != .none, let pollInterval, pollInterval < Self.leastPollInterval else { return nil }
        return "\(pollInterval.components.seconds) s is too short a poll interval for LaunchDarkly; it is polled every "
            + "\(Self.leastPollInterval.components.seconds) s"
    }

    private static func address(_ text: String) throws(SourceError) -> SourceURL {
        try SourceURL(
            base: text, of: "LaunchDarkly or its relay", example: defaultBaseURL, insteadUse: "a mobile key")
    }
}

/// The evaluation context: a context of one kind, or of several.
public struct LaunchDarklyContext: Sendable, Hashable {
    /// The default key of a context; the service requires one.
    public static let defaultKey = "flagmenu"

    /// The context as JSON without white space and with sorted members, so that equal contexts have the same URL.
    public let json: String

    /// A context of one kind.
    ///
    /// - Parameters:
    ///   - key: the context's key. Without one the context is anonymous, so that the service does not list it.
    ///   - kind: the context's kind, such as `user` or `org`.
    ///   - attributes: all other attributes for targeting; a `key` and a `kind` among them are ignored.
    public init(key: String? = nil, kind: String = "user", attributes: FlagTable<ContextValue> = [:]) {
        var members = attributes
        if key == nil { members["anonymous"] = true }
        members["key"] = .text(key ?? Self.defaultKey)
        members["kind"] = .text(kind)
        json = ContextValue.members(members).json.text(indented: false)
    }

    /// A context from settings: `{"kind": "user", "key": "u1", "plan": "pro"}`, or `{"kind": "multi", "user": {"key":
    /// "u1"}, "org": {"key": "o1"}}`. The default kind is `user`.
    ///
    /// An anonymous context needs no key, as in LaunchDarkly's SDKs; it gets ``defaultKey``.
    ///
    /// - Returns: `nil` if the value is not an object, or the key of a context that is not anonymous is missing.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        let kind = value["kind"].map { $0.text?.string ?? "" } ?? "user"
        let isMulti = kind == "multi"
        let contexts = isMulti ? value.members.filter { $0.key != "kind" }.map(\.value) : [value]
        guard !kind.isEmpty, !contexts.isEmpty, contexts.allSatisfy(Self.hasKey) else { return nil }
        let defaults = value["kind"] == nil ? [(FlagText("kind"), JSONOutput.string(kind))] : []
        json = Self.sorted(value, contextsAt: isMulti ? 1 : 0, adding: defaults).text(indented: false)
    }

    private static func hasKey(_ context: JSONValue) -> Bool {
        context["key"]?.text?.isEmpty == false || context["key"] == nil && context["anonymous"]?.bool == true
    }

    /// A copy with sorted members. The recursion is safe, as the parser rejects documents that are nested too deeply.
    ///
    /// - Parameters:
    ///   - depth: how deep the contexts are in the value; a context without a key gets the default one.
    ///   - added: further members of an object.
    private static func sorted(
        _ value: JSONValue, contextsAt depth: Int? = nil, adding added: [(FlagText, JSONOutput)] = []
    ) -> JSONOutput {
        switch value.kind {
        case .object:
            var members = added + value.members.map { ($0.key, sorted($0.value, contextsAt: depth == 1 ? 0 : nil)) }
            if depth == 0, value["key"] == nil { members.append(("key", .string(defaultKey))) }
            return .object(members.sorted { $0.0 < $1.0 }.map { ($0.0.string, $0.1) })
        case .array: return .array(value.elements.map { sorted($0) })
        case .string: return .string(value.text?.string ?? "")
        case .number, .bool, .null: return .raw(value.source)
        }
    }
}
