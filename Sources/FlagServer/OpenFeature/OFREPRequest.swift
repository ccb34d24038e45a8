#if Server
import FlagModel

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
    typealias Code = EvaluationErrorCode

    let code: Code
    /// What is wrong, as a sentence.
    let sentence: String

    init(_ code: Code, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

    /// The body of the response.
    ///
    /// - Parameter key: the requested flag; `nil` in a response for all flags.
    func json(of key: String?) -> JSONOutput {
        .object(
            (key.map { [("key", .string($0))] } ?? []) + [
                ("errorCode", .string(code.rawValue)), ("errorDetails", .string(sentence)),
            ])
    }
}
#endif
