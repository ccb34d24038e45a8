#if Server
import FlagModel
import FlagRemote
import HTTPTypes
import HummingbirdCore

// All paths of the server.
extension ServerResponder {
    /// The endpoint of a path.
    ///
    /// - Parameter segments: the decoded segments of the path.
    /// - Throws: that there is no such path.
    func endpoint(_ segments: [String], _ path: String, _ request: Request) throws(APIError) -> Endpoint {
        let client = try Self.client(in: request.uri.query)
        switch segments.first {
        case "ofrep": if let endpoint = evaluationEndpoint(segments.dropFirst(), client) { return endpoint }
        case "api": if let endpoint = managementEndpoint(segments.dropFirst(), client, request) { return endpoint }
        case "login" where segments.count == 1:
            return Endpoint((.get, .login { request in try login(request, for: client) }))
        default: if let file = page.file(at: path) { return Endpoint((.get, .read { _, _ in file })) }
        }
        throw APIError(.notFound, "\(JSONOutput.quoted(path, limit: 80)) is not a path of this server.")
    }

    private func evaluationEndpoint(_ segments: ArraySlice<String>, _ client: String?) -> Endpoint? {
        switch segments {
        case ["v1", "evaluate", "flags"]:
            return Endpoint(
                (
                    .post,
                    .read { request, _ in
                        await evaluation.evaluateAll(
                            try await body(of: request), client: client, tag: request.headers[.ifNoneMatch])
                    }
                ))
        case ["v1", "events"]: return Endpoint((.get, .read { request, _ in try stream(to: .client, request) }))
        default:
            guard segments.count > 3, segments.prefix(3) == ["v1", "evaluate", "flags"] else { return nil }
            let key = Self.key(in: segments.dropFirst(3))
            return Endpoint(
                (
                    .post,
                    .read { request, _ in
                        await evaluation.evaluate(key, try await body(of: request), client: client)
                    }
                ))
        }
    }

    private func managementEndpoint(
        _ segments: ArraySlice<String>, _ client: String?, _ request: Request
    ) -> Endpoint? {
        let (management, sessions) = (management, sessions)
        switch segments {
        case ["v1", "status"]:
            return Endpoint(
                (
                    .get,
                    .read { _, access in
                        Response(json: management.status(mayWrite: access == .write, client: client))
                    }
                ))
        case ["v1", "flags"]:
            let filter = Self.parameter("matching", in: request.uri.query) ?? ""
            return Endpoint(
                (.get, .read { _, _ in try await management.list(matching: filter, client: client) }))
        case ["v1", "overrides"]:
            return Endpoint(
                (.get, .read { _, _ in Response(json: try management.overrides(of: client)) }),
                (.delete, .write { _ in try management.clear(nil, for: client) }))
        case ["v1", "undo"]: return Endpoint((.post, .write { _ in try management.undo(for: client) }))
        case ["v1", "redo"]: return Endpoint((.post, .write { _ in try management.redo(for: client) }))
        case ["v1", "clients"]: return Endpoint((.get, .read { _, _ in Response(json: management.clients()) }))
        case ["v1", "links"]:
            return Endpoint(
                (.post, .write { _ in .object([("path", .string("/login?code=\(sessions.makeCode().text)"))]) }))
        case ["v1", "events"]: return Endpoint((.get, .read { request, _ in try stream(to: .page, request) }))
        case ["v1", "openapi.json"]: return Endpoint((.get, .read { _, _ in PageFiles.openAPI }))
        default: return keyEndpoint(segments, client)
        }
    }

    /// The endpoint of one flag in the management API.
    private func keyEndpoint(_ segments: ArraySlice<String>, _ client: String?) -> Endpoint? {
        guard segments.count > 2 else { return nil }
        let (management, key) = (management, Self.key(in: segments.dropFirst(2)))
        guard !key.isEmpty else { return nil }
        switch segments.prefix(2) {
        case ["v1", "flags"]:
            return Endpoint((.get, .read { _, _ in Response(json: try management.flag(key, client: client)) }))
        case ["v1", "overrides"]:
            return Endpoint(
                (.put, .write { try management.set(key, SetRequest(body: $0), for: client) }),
                (.delete, .write { _ in try management.clear(key, for: client) }))
        default: return nil
        }
    }

    private func stream(to reader: EventStream.Reader, _ request: Request) throws(APIError) -> Response {
        try events.response(to: reader, after: request.headers[.lastEventID])
    }

    /// Opens a session for the browser with a one-time code, and shows the page, with the overrides of a client if the
    /// link names one.
    private func login(_ request: Request, for client: String?) throws(APIError) -> Response {
        guard let session = sessions.open(Self.parameter("code", in: request.uri.query) ?? "") else {
            throw APIError(
                .forbidden, "This link was opened before or is too old. Print a new one with: flagmenu serve --link")
        }
        let secure = policy.isSecure ? "; Secure" : ""
        return Response(
            status: .seeOther,
            headers: [
                .location: client.map { "/?client=\(PercentEncoding.encoded($0))" } ?? "/", .cacheControl: "no-store",
                .setCookie: "\(policy.cookieName)=\(session.text); Path=/; HttpOnly; SameSite=Strict\(secure)",
            ])
    }

    /// The key in the rest of a path. Some clients do not encode the slashes of a key.
    private static func key(in segments: ArraySlice<String>) -> String { segments.joined(separator: "/") }

    /// The client in the query; `nil` if it has none.
    ///
    /// - Throws: that the client is empty.
    static func client(in query: String?) throws(APIError) -> String? {
        let client = parameter("client", in: query)
        guard client?.isEmpty != true else {
            throw APIError(.usage, "The client in the URL is empty: leave out ?client= for the shared overrides.")
        }
        return client
    }

    /// A parameter of the query; `nil` if it is missing. As in forms, a plus is a space.
    private static func parameter(_ name: String, in query: String?) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentEncoding.decoded(String($0.replacing("+", with: " ")))
            }
            if parts[0] == name { return parts.count > 1 ? parts[1] : "" }
        }
        return nil
    }
}
#endif
