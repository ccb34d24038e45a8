#if Server
import FlagModel

/// The evaluation context of a request in the OpenFeature Remote Evaluation Protocol (OFREP).
struct OFREPContext: Sendable, Hashable {
    /// Identifies the user or device; `nil` if the context has none.
    let targetingKey: String?
    /// The other members, as JSON without white space.
    let members: FlagTable<String>

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
        var members: FlagTable<String> = [:]
        for (name, value) in context.members where name.string != "targetingKey" {
            members[name.string] = value.compactJSON
        }
        self.members = members
    }
}
#endif
