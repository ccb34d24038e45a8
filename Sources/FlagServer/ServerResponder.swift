#if Server
import FlagModel
import FlagRemote
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Responds to requests: checks access, and then calls the code for the path.
struct ServerResponder: Sendable {
    let policy: AccessPolicy
    let limits: ServerLimits
    let sessions: Sessions
    let evaluation: OFREPRoutes
    let management: Management
    let events: EventStream
    let page: PageFiles
    /// Counts rejected requests, so that a flood of them gets short responses.
    let rejections: RateLimiter
    let rejectedRequests: RejectedRequests
    let writes: RateLimiter
    let now: @Sendable () -> FlagTimestamp

    /// Responds to a request.
    ///
    /// - Throws: why the connection is of no use any more.
    func respond(to request: Request) async throws -> Response {
        let path = request.uri.path
        let isEvaluation = path.hasPrefix("/ofrep/")
        var response: Response
        do {
            response = try await respond(to: request, at: path, isEvaluation: isEvaluation)
        } catch let error as APIError {
            response = Response(rejection(error))
        }
        response.headers[.date] = HTTPDate.text(now())
        response.headers[.xContentTypeOptions] = "nosniff"
        if isEvaluation { allowOrigin(of: request.head, in: &response.headers) }
        return request.method == .head ? response.withoutBody : response
    }

    private func rejection(_ error: APIError) -> APIError {
        if error.code == .unauthorized { rejectedRequests.add() }
        let isRejected = error.code == .unauthorized || error.code == .forbidden
        return isRejected && rejections.isExceeded() ? Self.tooManyRejections : error
    }

    /// Lets the web app that has sent a request read its response, if its origin is allowed.
    private func allowOrigin(of head: HTTPRequest, in fields: inout HTTPFields) {
        guard let origin = policy.allowedOrigin(of: head) else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.vary] = "Origin"
        fields[.accessControlExposeHeaders] = "ETag, Retry-After"
    }

    private func respond(to request: Request, at path: String, isEvaluation: Bool) async throws -> Response {
        // Browsers send no token before the request itself.
        let isPreflight =
            isEvaluation && request.method == .options && policy.allowedOrigin(of: request.head) != nil
        // The files of the page contain no values, and a link has its own code.
        let isPage = page.hasFile(at: path) || path == "/login"
        let access = try policy.access(
            of: request.head, isEvaluation: isEvaluation, needsToken: !isPage && !isPreflight)
        if isPreflight { return Self.preflight }
        let endpoint = try endpoint(Self.segments(of: path), path, request)
        switch endpoint[request.method] {
        case .read(let respond)?: return try await respond(request, access)
        case .login(let respond)?: return try respond(request)
        case .write(let write)?:
            guard access == .write else { throw Self.needsWriting }
            guard !writes.isExceeded() else {
                throw APIError(.rateLimited, "Too many changes within a second. Nothing was changed; retry.")
            }
            let body = try await body(of: request)
            return Response(json: try await Task(executorPreference: OwnThreads.server) { try write(body) }.value)
        case nil:
            let error = APIError(.usage, "This path has only: \(endpoint.methods).")
            var response = Response(json: error.json, status: .methodNotAllowed)
            response.headers[.allow] = endpoint.methods
            return response
        }
    }

    private static let tooManyRejections = APIError(
        .rateLimited, "Too many requests were rejected within a second. Retry later, with the right token.")

    private static let needsWriting = APIError(
        .unauthorized,
        "Changes need the token for writing: send the header Authorization: Bearer TOKEN, or open the link that "
            + "flagmenu serve printed. Nothing was changed.")

    /// The body of a request.
    ///
    /// - Throws: that the body is too large.
    func body(of request: Request) async throws -> [UInt8] {
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

    /// The decoded segments of a path.
    private static func segments(of path: String) -> [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decoded(String($0)) }
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
