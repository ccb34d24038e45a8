#if Server
import FlagModel
import FlagRemote
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Responds to requests: finds the route, checks access, and then calls the code of the route.
struct ServerResponder: Sendable {
    let policy: AccessPolicy
    let limits: ServerLimits
    let routes: [Route]
    let rejections: Rejections
    let writes: RateLimiter
    let now: @Sendable () -> FlagTimestamp

    /// Responds to a request.
    ///
    /// - Throws: why the connection is of no use any more.
    func respond(to request: Request) async throws -> Response {
        let isEvaluation = request.uri.path.hasPrefix("/ofrep/")
        var response: Response
        do {
            response = try await respond(to: request, isEvaluation: isEvaluation)
        } catch let error as APIError {
            response = Response(rejections.add(error))
        }
        response.headers[.date] = HTTPDate.text(now())
        response.headers[.xContentTypeOptions] = "nosniff"
        if isEvaluation { allowOrigin(of: request.head, in: &response.headers) }
        return request.method == .head ? response.withoutBody : response
    }

    /// Lets the web app that has sent a request read its response, if its origin is allowed.
    private func allowOrigin(of head: HTTPRequest, in fields: inout HTTPFields) {
        guard let origin = policy.allowedOrigin(of: head) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.vary] = "Origin"
        fields[.accessControlExposeHeaders] = "ETag, Retry-After"
    }

    private func respond(to request: Request, isEvaluation: Bool) async throws -> Response {
        let path = request.uri.path
        let segments = Route.segments(of: path)
        let matches = routes.compactMap { route in route.key(in: segments).map { (route: route, key: $0) } }
        // Browsers send no token before the request itself.
        let isPreflight =
            isEvaluation && request.method == .options && policy.allowedOrigin(of: request.head) != nil
        let isOpen = isPreflight || matches.contains { $0.route.purpose == .file || $0.route.purpose == .login }
        let access = try policy.access(of: request.head, isEvaluation: isEvaluation, needsToken: !isOpen)
        if isPreflight { return Self.preflight }
        let client = Call.parameter("client", in: request.uri.query)
        guard client?.isEmpty != true else {
            throw APIError(.usage, "The client in the URL is empty: leave out ?client= for the shared overrides.")
        }
        guard !matches.isEmpty else {
            throw APIError(.notFound, "\(JSONOutput.quoted(path, limit: 80)) is not a path of this server.")
        }
        guard let (route, key) = matches.first(where: { $0.route.has(request.method) }) else {
            return Self.methodNotAllowed(matches.flatMap(\.route.methods))
        }
        if route.purpose == .write { try checkWriting(access) }
        let body = route.method == .get ? [] : try await body(of: request)
        return try await route.respond(Call(request: request, access: access, client: client, key: key, body: body))
    }

    private func checkWriting(_ access: AccessPolicy.Access) throws(APIError) {
        guard access == .write else { throw Self.needsWriting }
        guard !writes.isExceeded() else {
            throw APIError(.rateLimited, "Too many changes within a second. Nothing was changed; retry.")
        }
    }

    private static func methodNotAllowed(_ methods: [HTTPRequest.Method]) -> Response {
        let methods = methods.map(\.rawValue).sorted().joined(separator: ", ")
        var response = Response(
            json: APIError(.usage, "This path has only: \(methods).").json, status: .methodNotAllowed)
        response.headers[.allow] = methods
        return response
    }

    private static let needsWriting = APIError(
        .unauthorized,
        "Changes need the token for writing: send the header Authorization: Bearer TOKEN, or open the link that "
            + "flagmenu serve printed. Nothing was changed.")

    /// The body of a request.
    ///
    /// - Throws: that the body is too large.
    private func body(of request: Request) async throws -> [UInt8] {
        let limit = limits.bodySize
        let tooLarge = APIError(.tooLarge, "The request body is larger than \(limit) bytes. Nothing was changed.")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw tooLarge }
            bytes += buffer.readableBytesView
        }
        return bytes
    }

    /// The response to a browser that asks whether a web app of an allowed origin may send requests.
    private static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "POST, GET",
            .accessControlAllowHeaders: "Content-Type, Authorization, X-API-Key, If-None-Match, Last-Event-ID",
            .accessControlMaxAge: "600",
        ])
}
#endif
