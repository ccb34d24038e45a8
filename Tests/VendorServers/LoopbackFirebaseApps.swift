#if Network
public import FlagModel
public import FlagRemote
public import FlagTesting
import Synchronization

/// Firebase's services for apps on 127.0.0.1: installations, values and realtime updates. It does not evaluate
/// conditions: each app gets the values that a test has set.
public final class LoopbackFirebaseApps: Sendable {
    private struct State {
        var values: [String: String]
        /// What a response says about the values.
        var name = "UPDATE"
        var version = 1
        /// Refresh tokens by installation id.
        var installations: [String: String] = [:]
        var tokens: [String: FlagTimestamp] = [:]
        var tokenCount = 0
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    /// The stream of realtime updates.
    public static let stream = "firebase-realtime"
    /// The id of the known app, and its API key, which no output may contain.
    public static let (appID, apiKey) = ("1:123:ios:abc", "AIza-hush")
    private static let (project, number, bundle) = ("shop", "123", "com.example.shop")
    private let sendsNotModified: Bool
    private let now: @Sendable () -> FlagTimestamp
    private let state: Mutex<State>

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - values: the values of the apps.
    ///   - sendsNotModified: whether the response is 304 if the values are unchanged, instead of 200 with `NO_CHANGE`.
    ///   - now: returns the current time, for lifetimes of tokens.
    public init(
        _ values: [String: String], sendsNotModified: Bool = false,
        now: @escaping @Sendable () -> FlagTimestamp = SourceClock.system.now
    ) async throws {
        (self.sendsNotModified, self.now) = (sendsNotModified, now)
        state = Mutex(State(values: values))
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL of all services for a source's settings.
    public var url: String { server.url }

    /// The file that Firebase's console offers for the known app on Android.
    public var googleServicesFile: String {
        let info: JSONOutput = [
            "mobilesdk_app_id": .string(Self.appID), "android_client_info": ["package_name": .string(Self.bundle)],
        ]
        let file: JSONOutput = [
            "project_info": ["project_number": .string(Self.number), "project_id": .string(Self.project)],
            "client": [["client_info": info, "api_key": [["current_key": .string(Self.apiKey)]]]],
        ]
        return file.line
    }

    /// The file that Firebase's console offers for the known app on Apple's systems.
    public var propertyList: String {
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>API_KEY</key><string>\(Self.apiKey)</string><key>GOOGLE_APP_ID</key><string>\(Self.appID)</string>
        <key>PROJECT_ID</key><string>\(Self.project)</string><key>GCM_SENDER_ID</key><string>\(Self.number)</string>
        <key>BUNDLE_ID</key><string>\(Self.bundle)</string><key>IS_ADS_ENABLED</key><false/></dict></plist>
        """
    }

    /// Changes the values without an update to subscribers.
    ///
    /// - Parameter state: what a response says about the values. With another state than `UPDATE`, it has no values.
    public func set(_ values: [String: String], state name: String = "UPDATE") {
        state.withLock { state in
            state.version += 1
            (state.values, state.name) = (values, name)
        }
    }

    /// Sends the newest version to subscribers.
    public func announce() async { await push(#"{"latestTemplateVersionNumber":"\#(state.withLock(\.version))"}"#) }

    /// Sends a message to subscribers.
    public func push(_ message: String) async { await server.push(Array("\(message),".utf8), to: Self.stream) }

    /// Forgets all installations and their tokens.
    public func forgetInstallations() { state.withLock { ($0.installations, $0.tokens) = ([:], [:]) } }
}

// The responses to requests, as the service sends them.
extension LoopbackFirebaseApps {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let home = "/v1/projects/\(Self.project)/"
        let key = request.headers["X-Goog-Api-Key"] ?? request.query("key")
        guard key == Self.apiKey else {
            return failure(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
        }
        switch request.path {
        case "\(home)installations/": return register(request)
        case "\(home)namespaces/firebase:fetch": return values(request)
        case "/v1/projects/\(Self.number)/namespaces/firebase:streamFetchInvalidations": return stream(request)
        default:
            let (start, end) = ("\(home)installations/", "/authTokens:generate")
            guard request.path.hasPrefix(start), request.path.hasSuffix(end) else {
                return failure(404, "NOT_FOUND", "Requested entity was not found.")
            }
            return renew(String(request.path.dropFirst(start.count).dropLast(end.count)), request)
        }
    }

    private func failure(_ code: Int, _ status: String, _ message: String) -> LoopbackReply {
        LoopbackFirebase.failure(code, status, message)
    }

    private func register(_ request: LoopbackRequest) -> LoopbackReply {
        guard let root = request.json, let id = root["fid"]?.text?.string, id.utf8.count == 22,
            "cdef".contains(id.first ?? " "), root["authVersion"]?.text == "FIS_v2",
            root["appId"]?.text == FlagText(Self.appID), root["sdkVersion"]?.text != nil
        else { return failure(400, "INVALID_ARGUMENT", "the installation is none of a known app") }
        let refresh = "hush-refresh-\(id)"
        state.withLock { $0.installations[id] = refresh }
        return .document(
            ["fid": .string(id), "refreshToken": .string(refresh), "authToken": .raw(newToken())], status: 201)
    }

    private func renew(_ id: String, _ request: LoopbackRequest) -> LoopbackReply {
        guard let refresh = state.withLock({ $0.installations[id] }) else {
            return failure(404, "NOT_FOUND", "Requested entity was not found.")
        }
        guard request.headers["Authorization"] == "FIS_v2 \(refresh)" else {
            return failure(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
        }
        return .json(newToken())
    }

    private func newToken() -> String {
        let end = FlagTimestamp(seconds: now().seconds + 604_800)
        return state.withLock { state in
            state.tokenCount += 1
            let token = "hush-installation-\(state.tokenCount)"
            state.tokens[token] = end
            return #"{"token": "\#(token)", "expiresIn": "604800s"}"#
        }
    }

    private func isAuthorized(_ request: LoopbackRequest) -> Bool {
        let token = request.headers["X-Goog-Firebase-Installations-Auth"] ?? ""
        return state.withLock { $0.tokens[token] }.map { $0 > now() } ?? false
    }

    private func values(_ request: LoopbackRequest) -> LoopbackReply {
        guard let root = request.json, root["app_id"]?.text == FlagText(Self.appID),
            root["app_instance_id"]?.text != nil
        else { return failure(400, "INVALID_ARGUMENT", "app_id or app_instance_id is missing") }
        guard isAuthorized(request),
            root["app_instance_id_token"]?.text?.string == request.headers["X-Goog-Firebase-Installations-Auth"]
        else { return failure(401, "UNAUTHENTICATED", "the installation is unknown") }
        return state.withLock { state in
            let version = state.version
            let headers = [("ETag", "etag-123-firebase-fetch-\(version)")]
            let isKnown = request.headers["If-None-Match"] == headers[0].1
            if isKnown, sendsNotModified { return .status(304, headers: headers) }
            let entries = JSONOutput.object(state.values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            let response: JSONOutput = [
                "state": .string(isKnown ? "NO_CHANGE" : state.name), "templateVersion": "\(version)",
                "entries": state.name == "UPDATE" && !isKnown ? entries : nil,
            ]
            return .json(response.line, headers: headers)
        }
    }

    private func stream(_ request: LoopbackRequest) -> LoopbackReply {
        guard isAuthorized(request), request.json?["appInstanceId"]?.text != nil,
            request.json?["namespace"]?.text == "firebase"
        else { return failure(401, "UNAUTHENTICATED", "the installation is unknown") }
        return .stream(name: Self.stream, contentType: "application/json", first: Array("[".utf8))
    }
}
#endif
