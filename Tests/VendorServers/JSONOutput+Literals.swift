#if Network
public import FlagModel
import FlagRemote
import FlagTesting

// JSON as Swift writes literals, so that the fake servers' documents look like the vendors'. Elements and members that
// are `nil` are left out.
extension JSONOutput: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONOutput?...) { self = .array(elements.compactMap(\.self)) }
    /// An object; the members keep their order.
    public init(dictionaryLiteral members: (String, JSONOutput?)...) { self = .object(present: members) }

    /// A string, or `null` without one.
    static func text(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }

    /// An array of strings.
    static func texts(_ texts: [String]) -> JSONOutput { .array(texts.map { .string($0) }) }

    /// The object with the members of another one.
    func adding(_ other: JSONOutput) -> JSONOutput {
        guard case .object(let members) = self, case .object(let more) = other else { return self }
        return .object(members + more)
    }

    /// The text on one line.
    var line: String { text(indented: false) }

    /// A strong ETag for the text.
    var etag: String { "\"\(StableHash.text(line))\"" }
}

extension JSONValue {
    /// The JSON in some bytes; `nil` if they are not JSON.
    static func parsed(_ bytes: some Sequence<UInt8>) -> JSONValue? { try? JSONDocument(parsing: Array(bytes)).root }
}

extension LoopbackReply {
    /// A response with JSON.
    static func document(_ json: JSONOutput, status: Int = 200) -> LoopbackReply { .json(json.line, status: status) }

    /// A response with JSON and its ETag, or 304 if the request names that ETag. Express, the web framework of most
    /// vendors, sends a weak one with every response.
    static func tagged(_ json: JSONOutput, for request: LoopbackRequest, isWeak: Bool = true) -> LoopbackReply {
        tagged(json, for: request, etag: (isWeak ? "W/" : "") + json.etag)
    }

    /// A response with JSON and an ETag, or 304 if the request names that ETag.
    static func tagged(_ json: JSONOutput, for request: LoopbackRequest, etag: String) -> LoopbackReply {
        let headers = [("ETag", etag)]
        let isKnown = request.headers["If-None-Match"] == headers[0].1
        return isKnown ? .status(304, headers: headers) : .json(json.line, headers: headers)
    }

    /// A stream of events.
    static func events(_ name: String, first: ServerSentEvent) -> LoopbackReply {
        .stream(name: name, contentType: "text/event-stream", first: first.wireBytes)
    }
}
#endif
