#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore

/// The endpoints of the OpenFeature Remote Evaluation Protocol, version 1.
struct OFREPRoutes: Sendable {
    /// The path of the event stream.
    static let eventsPath = "/ofrep/v1/events"

    let flags: ServedFlags
    let log: ClientLog

    /// Evaluates one flag.
    func evaluate(_ call: Call) async throws -> Response {
        let (client, evaluations) = try await evaluations(for: call)
        let evaluation = evaluations.evaluation(of: call.key)
        log.record(client, key: call.key, value: evaluation?.value, layer: evaluation?.layer)
        return Response(json: try evaluations.requireValue(evaluation, of: call.key).body)
    }

    /// Evaluates all flags; responds 304 if the client has the newest evaluation, by its tag in `If-None-Match`.
    func evaluateAll(_ call: Call) async throws -> Response {
        let (client, evaluations) = try await evaluations(for: call)
        try evaluations.requireSources()
        let all = try await evaluations.all
        log.record(client, key: nil, value: nil, layer: nil)
        let tags = Self.tags(call.request.headers[.ifNoneMatch])
        var response = tags.contains(all.tag) ? Response(status: .notModified) : Response(json: all.body)
        response.headers[.eTag] = all.tag
        return response
    }

    /// The client, which is that of the query or else the context's targeting key, and its evaluations.
    private func evaluations(for call: Call) async throws(APIError) -> (String?, FlagEvaluations) {
        let context = try OFREPContext(body: call.body)
        let client = call.client ?? context.targetingKey
        return (client, try await flags.evaluations(for: client, in: context))
    }

    /// The entity tags in `If-None-Match`. A proxy that compresses responses makes tags weak.
    private static func tags(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map {
            let tag = $0.drop { $0 == " " }
            return String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag)
        }
    }
}

/// The evaluation context of a request in the OpenFeature Remote Evaluation Protocol (OFREP).
struct OFREPContext: Sendable, Hashable {
    /// Identifies the user or device; `nil` if the context has none.
    let targetingKey: String?
    /// The edits that put the other members on top of a source's own context, sorted, so that equal contexts are equal.
    let edits: [ContextEdit]

    /// The context in the body of a request, such as `{"context": {"targetingKey": "ana"}}`.
    ///
    /// The protocol requires a `targetingKey`, but clients without a context send `{"context": {}}`, which is accepted.
    ///
    /// - Throws: why the body is not valid.
    init(body: [UInt8]) throws(APIError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: body).root
        } catch {
            throw APIError(.parseError, "The request body is not JSON: \(error.description.asSentence)")
        }
        guard let context = root["context"], context.kind == .object else {
            throw APIError(.invalidContext, "The request body needs an object \"context\", such as {\"context\": {}}.")
        }
        let key = context["targetingKey"]
        guard key == nil || key?.kind == .string else {
            throw APIError(.invalidContext, "The \"targetingKey\" of the context must be a string.")
        }
        targetingKey = key?.text?.string
        edits = context.members.filter { $0.key.string != "targetingKey" }.sorted { $0.key < $1.key }
            .map { .set(name: $0.key.string, value: $0.value.compactJSON) }
    }
}
#endif
