#if Server
import FlagModel
import FlagRemote
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix

/// What the server does for one method of one path.
struct Route: Sendable {
    /// What a request needs, and what else is checked.
    enum Purpose: Sendable {
        /// Responds with a file of the page. The files contain no values, so they need no token.
        case file
        /// Opens a session with the one-time code of a link, which replaces a token.
        case login
        /// Responds to a request that may read.
        case read
        /// Changes something.
        case write
    }

    typealias Handler = @Sendable (Call) async throws -> Response

    let purpose: Purpose
    let method: HTTPRequest.Method
    let respond: Handler
    private let segments: [String]

    /// - Parameter path: the path; a segment `*` stands for the key of a flag, which may have slashes, or the name of a
    ///   scenario.
    init(_ purpose: Purpose, _ method: HTTPRequest.Method, _ path: String, _ respond: @escaping Handler) {
        (self.purpose, self.method, self.respond) = (purpose, method, respond)
        segments = Self.segments(of: path)
    }

    /// A route of the management API. Changes wait for other writers and for the disk, and lists of many flags take long
    /// to encode, so it responds on threads of its own.
    private static func management(
        _ flags: ServedFlags, _ method: HTTPRequest.Method, _ path: String,
        _ respond: @escaping @Sendable (Call) throws -> JSONOutput
    ) -> Route {
        let (purpose, threads) = method == .get ? (Purpose.read, Threads.reading) : (.write, Threads.writing)
        return Route(purpose, method, path) { call in
            try await threads.runIfActive { Response(json: flags.hidingSecrets(try respond(call), in: call)) }
        }
    }

    /// A route that evaluates flags, whose errors have the form of the OpenFeature protocol.
    private static func evaluation(_ path: String, _ respond: @escaping Handler) -> Route {
        Route(.read, .post, path) { call in
            do {
                return try await respond(call)
            } catch let error as APIError {
                return Response(error, json: error.evaluationJSON(of: call.key.isEmpty ? nil : call.key))
            }
        }
    }

    /// The routes of a server.
    static func all(_ flags: ServedFlags, _ policy: AccessPolicy) -> [Route] {
        [
            .evaluation("/ofrep/v1/evaluate/flags") { try await flags.evaluateAll($0) },
            .evaluation("/ofrep/v1/evaluate/flags/*") { try await flags.evaluate($0) },
            Route(.read, .get, "/ofrep/v1/events") { try flags.events(for: $0.request, isPage: false) },
            .management(flags, .get, "/api/v1/status") { flags.status($0) },
            .management(flags, .get, "/api/v1/flags") { try flags.list($0) },
            .management(flags, .get, "/api/v1/flags/*") { try flags.flag($0) },
            .management(flags, .get, "/api/v1/explanations/*") { try flags.explanation($0) },
            Route(.write, .post, "/api/v1/activate") { _ in Response(json: try await flags.activate()) },
            .management(flags, .get, "/api/v1/overrides") { try flags.overrides(of: $0.client) },
            .management(flags, .put, "/api/v1/overrides/*") { try flags.set($0) },
            .management(flags, .delete, "/api/v1/overrides/*") { try flags.clear($0.key, for: $0.client) },
            .management(flags, .delete, "/api/v1/overrides") { try flags.clear(nil, for: $0.client) },
            .management(flags, .post, "/api/v1/undo") { try flags.undo(for: $0.client) },
            .management(flags, .post, "/api/v1/redo") { try flags.undo(for: $0.client, isRedo: true) },
            .management(flags, .get, "/api/v1/scenarios") { flags.listScenarios($0) },
            .management(flags, .put, "/api/v1/scenarios/*") { try flags.saveScenario($0) },
            .management(flags, .delete, "/api/v1/scenarios/*") { try flags.deleteScenario($0) },
            .management(flags, .post, "/api/v1/scenarios/*/rename") { try flags.renameScenario($0) },
            .management(flags, .get, "/api/v1/scenarios/*/preview") { try flags.previewScenario($0) },
            .management(flags, .post, "/api/v1/scenarios/*/apply") { try flags.applyScenario($0) },
            .management(flags, .get, "/api/v1/share") { try flags.share($0) },
            .management(flags, .get, "/api/v1/clients") { _ in flags.clients() },
            .management(flags, .post, "/api/v1/links") { _ in .object([("path", .string(policy.makeLink()))]) },
            Route(.read, .get, "/api/v1/events") { try flags.events(for: $0.request, isPage: true) },
            Route(.read, .get, "/api/v1/openapi.json") { _ in .openAPI },
            Route(.login, .get, "/login") { try policy.openSession(code: $0.parameters["code"], for: $0.client) },
        ] + files
    }

    /// The files of the page, which are compiled into the program.
    static let files = [
        ("/", "text/html; charset=utf-8", PackageResources.index_html),
        ("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
        ("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    ].map { path, type, content in
        let fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: contentPolicy,
            .contentLength: String(content.count), .referrerPolicy: "no-referrer",
        ]
        let file = ByteBuffer(bytes: content)
        return Route(.file, .get, path) { _ in
            Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: file))
        }
    }

    /// The page may load only its own files, and no other page may show it in a frame.
    private static let contentPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The key in a path, which is empty if the route has none; `nil` if the path is not that of the route.
    ///
    /// An empty key matches no route: a script whose variable is empty would otherwise clear all overrides.
    func key(in path: [String]) -> String? {
        guard let star = segments.firstIndex(of: "*") else { return path == segments ? "" : nil }
        let (start, end) = (segments[..<star], segments[(star + 1)...])
        guard path.count >= segments.count, path.starts(with: start), path.suffix(end.count) == end else { return nil }
        // Some clients do not encode the slashes of a key.
        let key = path.dropFirst(start.count).dropLast(end.count).joined(separator: "/")
        return key.isEmpty || start.contains("scenarios") && key.contains("/") ? nil : key
    }

    /// The methods of the route. Reading with HEAD is reading with GET, without the body. A login has an effect, so a
    /// preview of a link does not use it up.
    var methods: [HTTPRequest.Method] { method == .get && purpose != .login ? [.get, .head] : [method] }

    /// The decoded segments of a path.
    static func segments(of path: String) -> [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decoded(String($0)) }
    }
}

/// A request to a route.
struct Call: Sendable {
    let request: Request
    let access: AccessPolicy.Access
    /// The decoded parameters of the query.
    let parameters: [String: String]
    /// The key of a flag or the name of a scenario in the path; empty if the route has none.
    let key: String
    /// The body; empty for a route that only reads.
    var body: [UInt8] = []

    /// The client in the query; `nil` if it has none.
    var client: String? { parameters["client"] }
}

/// Threads for work that would keep Swift's few threads from other requests. What reads never delays what writes.
enum Threads {
    /// Threads for changes.
    static let writing = started(4)
    /// Threads for encoding or searching many flags.
    static let reading = started(2)

    private static func started(_ count: Int) -> NIOThreadPool {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }
}
#endif
