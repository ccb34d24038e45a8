#if Server
import FlagModel
import FlagRemote
import Flags
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// Responds to requests: finds the route, checks access, and then calls the code of the route.
final class ServerResponder: Sendable {
    private struct Rates {
        var rejections: RateLimit
        var writes: RateLimit
    }

    private let flags: ServedFlags
    private let policy: AccessPolicy
    private let routes: [Route]
    private let bodyLimit: Int
    private let rates: Mutex<Rates>

    init(_ flags: ServedFlags, _ policy: AccessPolicy, _ limits: ServerLimits) {
        (self.flags, self.policy, bodyLimit) = (flags, policy, limits.bodySize)
        routes = Route.all(flags, policy)
        let (rejections, writes) = (limits.rejectionsPerSecond, limits.writesPerSecond)
        rates = Mutex(Rates(rejections: RateLimit(perSecond: rejections), writes: RateLimit(perSecond: writes)))
    }

    /// Responds to a request.
    ///
    /// - Throws: why the connection is of no use any more.
    func respond(to request: Request) async throws -> Response {
        let isEvaluation = request.uri.path.hasPrefix("/ofrep/")
        // The web app that may read the response.
        let origin = isEvaluation ? policy.allowedOrigin(of: request.head) : nil
        var response: Response
        do {
            response = try await respond(
                to: request, isEvaluation: isEvaluation, isPreflight: origin != nil && request.method == .options)
        } catch {
            guard var error = APIError(error) else { throw error }
            if error.code == .unauthorized { flags.log.recordRejection() }
            if error.code == .unauthorized || error.code == .forbidden, isExceeded(\.rejections) {
                error = APIError(
                    .rateLimited, "Too many requests were rejected within a second. Retry later, with the right token.")
            }
            response = Response(error)
        }
        response.headers[.date] = HTTPDate.text(flags.store.now())
        response.headers[.xContentTypeOptions] = "nosniff"
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.vary] = "Origin"
            response.headers[.accessControlExposeHeaders] = "ETag, Retry-After"
        }
        return request.method == .head ? response.withoutBody : response
    }

    /// - Parameter isPreflight: whether a browser asks if a web app of an allowed origin may send requests. It sends no
    ///   token before the request itself.
    private func respond(to request: Request, isEvaluation: Bool, isPreflight: Bool) async throws -> Response {
        let path = request.uri.path
        let segments = Route.segments(of: path)
        let matches = routes.compactMap { route in route.key(in: segments).map { (route: route, key: $0) } }
        let isOpen = isPreflight || matches.contains { $0.route.purpose == .file || $0.route.purpose == .login }
        let access = try policy.access(of: request.head, isEvaluation: isEvaluation, needsToken: !isOpen)
        if isPreflight { return Self.preflight }
        let parameters = PercentEncoding.parameters(of: request.uri.query)
        guard parameters["client"]?.isEmpty != true else {
            throw APIError(.usage, "The client in the URL is empty: leave out ?client= for the shared overrides.")
        }
        guard !matches.isEmpty else {
            throw APIError(.notFound, "\(JSONOutput.quoted(path, limit: 80)) is not a path of this server.")
        }
        guard let (route, key) = matches.first(where: { $0.route.methods.contains(request.method) }) else {
            let methods = matches.flatMap(\.route.methods).map(\.rawValue).sorted().joined(separator: ", ")
            var response = Response(APIError(.usage, "This path has only: \(methods)."))
            (response.status, response.headers[.allow]) = (.methodNotAllowed, methods)
            return response
        }
        if route.purpose == .write {
            guard access == .write else {
                throw APIError(
                    .unauthorized,
                    "Changes need the token for writing: send the header Authorization: Bearer TOKEN, or open the link "
                        + "that flagmenu serve printed. Nothing was changed.")
            }
            guard !isExceeded(\.writes) else {
                throw APIError(.rateLimited, "Too many changes within a second. Nothing was changed; retry.")
            }
        }
        var call = Call(request: request, access: access, parameters: parameters, key: key)
        do {
            if route.method != .get { call.body = Array(buffer: try await request.body.collect(upTo: bodyLimit)) }
        } catch is NIOTooManyBytesError {
            throw APIError(.tooLarge, "The request body is larger than \(bodyLimit) bytes. Nothing was changed.")
        }
        return try await route.respond(call)
    }

    /// Counts a request; returns whether it is one too many.
    private func isExceeded(_ rate: WritableKeyPath<Rates, RateLimit>) -> Bool {
        rates.withLock { $0[keyPath: rate].isExceeded(adding: 1, at: flags.store.now()) }
    }

    private static let preflight = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "POST, GET",
            .accessControlAllowHeaders: "Content-Type, Authorization, X-API-Key, If-None-Match, Last-Event-ID",
            .accessControlMaxAge: "600",
        ])
}
#endif
