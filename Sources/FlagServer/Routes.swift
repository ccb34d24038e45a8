#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore

// All paths of the server.
extension Route {
    /// The routes of a server.
    static func all(
        _ evaluation: OFREPRoutes, _ management: Management, _ events: EventStream, _ policy: AccessPolicy
    ) -> [Route] {
        [
            Route(.read, .post, "/ofrep/v1/evaluate/flags") { try await evaluation.evaluateAll($0) },
            Route(.read, .post, "/ofrep/v1/evaluate/flags/*") { await evaluation.evaluate($0) },
            Route(.read, .get, OFREPRoutes.eventsPath) { try events.response(to: .client, $0.request) },
            Route(.read, .get, "/api/v1/status") { Response(json: management.status($0)) },
            Route(.read, .get, "/api/v1/flags") { try await management.list($0) },
            Route(.read, .get, "/api/v1/flags/*") { try await management.flag($0) },
            Route(.read, .get, "/api/v1/explanations/*") { try await management.explanation($0) },
            Route(.write, .post, "/api/v1/activate") { _ in Response(json: await management.activate()) },
            Route(.read, .get, "/api/v1/overrides") { Response(json: try management.overrides(of: $0.client)) },
            .write(.put, "/api/v1/overrides/*") {
                try management.set($0.key, SetRequest(body: $0.body), for: $0.client)
            },
            .write(.delete, "/api/v1/overrides/*") { try management.clear($0.key, for: $0.client) },
            .write(.delete, "/api/v1/overrides") { try management.clear(nil, for: $0.client) },
            .write(.post, "/api/v1/undo") { try management.undo(for: $0.client) },
            .write(.post, "/api/v1/redo") { try management.redo(for: $0.client) },
            Route(.read, .get, "/api/v1/clients") { _ in Response(json: management.clients()) },
            .write(.post, "/api/v1/links") { _ in .object([("path", .string(policy.makeLink()))]) },
            Route(.read, .get, "/api/v1/events") { try events.response(to: .page, $0.request) },
            Route(.read, .get, "/api/v1/openapi.json") { _ in PageFiles.openAPI },
            Route(.login, .get, "/login") { try policy.openSession(code: $0.parameter("code"), for: $0.client) },
        ] + PageFiles.routes
    }
}
#endif
