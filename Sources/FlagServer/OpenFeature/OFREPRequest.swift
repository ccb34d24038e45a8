#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore

/// The evaluation context of a request in the OpenFeature Remote Evaluation Protocol (OFREP).
struct OFREPContext: Sendable, Hashable {
    /// Identifies the user or device; `nil` if the context has none.
    let targetingKey: String?
    /// The other members as JSON, sorted by name, so that equal contexts are equal.
    let members: [Member]

    /// One member other than the targeting key.
    struct Member: Sendable, Hashable {
        let name: String
        /// The value as JSON without white space.
        let value: String
    }

    /// The context in the body of a request, such as `{"context": {"targetingKey": "ana"}}`.
    ///
    /// The protocol requires a `targetingKey`, but clients without a context send `{"context": {}}`, which is accepted.
    ///
    /// - Throws: why the body is not valid.
    init(body: [UInt8]) throws(OFREPFailure) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: body).root
        } catch {
            throw OFREPFailure(.parseError, "The request body is not JSON: \(error.description.asSentence)")
        }
        guard let context = root["context"], context.kind == .object else {
            throw OFREPFailure(
                .invalidContext, "The request body needs an object \"context\", such as {\"context\": {}}.")
        }
        let key = context["targetingKey"]
        guard key == nil || key?.kind == .string else {
            throw OFREPFailure(.invalidContext, "The \"targetingKey\" of the context must be a string.")
        }
        targetingKey = key?.text?.string
        members = context.members.filter { $0.key.string != "targetingKey" }
            .map { Member(name: $0.key.string, value: $0.value.compactJSON) }.sorted { $0.name < $1.name }
    }
}

/// An error response of OFREP.
struct OFREPFailure: Error, Hashable {
    /// The code in the response; each has a status.
    enum Code: String {
        case flagNotFound = "FLAG_NOT_FOUND"
        case parseError = "PARSE_ERROR"
        case invalidContext = "INVALID_CONTEXT"
        /// The client should retry, and use neither a value nor a default of the server meanwhile.
        case general = "GENERAL"
    }

    let code: Code
    /// What is wrong, as a sentence.
    let sentence: String
    let status: HTTPResponse.Status
    /// When to retry, in seconds; `nil` if that would not help.
    var retryAfter: Int?

    init(_ code: Code, _ sentence: String) {
        (self.code, self.sentence) = (code, sentence)
        switch code {
        case .flagNotFound: status = .notFound
        case .parseError, .invalidContext: status = .badRequest
        case .general: (status, retryAfter) = (.serviceUnavailable, 1)
        }
    }

    private init(tooManyUntil seconds: Int, _ sentence: String) {
        (code, self.sentence, status, retryAfter) = (.general, sentence, .tooManyRequests, seconds)
    }

    /// There are more evaluation contexts than the server reads values for.
    ///
    /// - Parameter seconds: when to retry, in seconds.
    static func tooManyContexts(retryAfter seconds: Int) -> OFREPFailure {
        OFREPFailure(
            tooManyUntil: seconds,
            "The server reads values for \(EvaluationContexts.limit) evaluation contexts, and for "
                + "\(EvaluationContexts.newPerSecond) new ones in a second. Retry in \(seconds) s.")
    }

    /// The response.
    ///
    /// - Parameter key: the requested flag; `nil` in a response for all flags.
    func response(for key: String?) -> Response {
        let json = JSONOutput.object(
            (key.map { [("key", .string($0))] } ?? []) + [
                ("errorCode", .string(code.rawValue)), ("errorDetails", .string(sentence)),
            ])
        var response = Response(json: json, status: status)
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}
#endif
