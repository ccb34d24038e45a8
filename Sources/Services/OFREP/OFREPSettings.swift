public import FlagModel
public import FlagRemote

/// Settings for an OFREP server.
public struct OFREPSettings: Sendable, Hashable {
    /// The URL before `/ofrep/v1`.
    public let baseURL: SourceURL
    /// The token that is sent as `Authorization: Bearer`.
    public var bearerToken: Secret?
    /// The key that is sent as `X-API-Key`.
    public var apiKey: Secret?
    /// Further headers of each request.
    public var headers = SourceHeaders()
    /// Why ``addHeaders(_:from:)`` left out items, as sentences. The sentences do not contain the items.
    public private(set) var headerWarnings: [String] = []
    /// The evaluation context.
    public var context = EvaluationContext()
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""
    /// How changes are noticed.
    public var changeDetection = ChangeDetection.events
    /// How often the server is polled. With `nil`, the protocol's default (ADR-0010), only a server without event
    /// streams is polled.
    public var pollInterval: Duration?
    /// The time limit for a response; `nil` for none. The limits of the client apply as well.
    public var timeout: Duration?

    /// Settings for a server.
    ///
    /// - Parameter baseURL: `https://flags.example.com`, with a path if the server is below one, but without
    ///   `/ofrep/v1`, a query or credentials.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "an OFREP server", example: "https://flags.example.com", insteadUse: "a token or a key",
            without: ["/ofrep/v1/evaluate/flags", "/ofrep/v1", "/ofrep"])
    }

    /// Fingerprints that distinguish environments. Servers select the environment by a key, or by a header such as
    /// Flipt's `X-Flipt-Environment`. A bearer token is not included, as it identifies the caller, and changes.
    var environmentMark: String {
        let fields = headers.fields.filter { $0.name.lowercased() != "authorization" }
        return ([apiKey] + fields.map { Optional(Secret($0.value)) }).compactMap { $0?.mark }.joined(separator: " ")
    }

    /// Adds headers in the format of the variable `OFREP_HEADERS` (ADR-0007): `name=value` separated by commas,
    /// percent-encoded. An item that is not a header is left out with a warning, as ADR-0007 requires.
    ///
    /// - Parameters:
    ///   - text: the headers.
    ///   - place: where the text is from, for warnings. A warning shows only an item's number, because the item may be
    ///     a credential.
    public mutating func addHeaders(_ text: Secret, from place: String) {
        let items = PercentEncoding.decoded(text.reveal()).split(separator: ",", omittingEmptySubsequences: false)
        for (index, item) in items.enumerated() where !String(item).trimmed.isEmpty {
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            let header = String(item[..<equals]).trimmed
            let value = String(item[equals...].dropFirst()).trimmed
            let reason: String? =
                if equals == item.endIndex {
                    "has no \"=\""
                } else if header.wholeMatch(of: #/[A-Za-z0-9!#$%&'*+\-.^_`|~]+/#) == nil {  // RFC 9110, section 5.6.2
                    "has no header name"
                } else if !value.utf8.allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F }) {
                    "contains a control character"
                } else {
                    nil
                }
            if let reason {
                headerWarnings.append(
                    "\(place) must contain name=value pairs separated by commas; item \(index + 1) \(reason) and was "
                        + "left out")
            } else {
                headers.set(header, secret: Secret(value))
            }
        }
    }

    /// Sets ``timeout`` from the variable `OFREP_TIMEOUT_MS` (ADR-0007): milliseconds.
    ///
    /// - Throws: an error if the text is not a whole number of at least 1.
    public mutating func setTimeout(milliseconds text: String) throws(SourceError) {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int64(text), count > 0 else {
            let sentence =
                "OFREP_TIMEOUT_MS must be a whole number of milliseconds of at least 1, but is "
                + "\(JSONOutput.quoted(text, limit: 60)); correct it or unset it"
            throw SourceError(.rejected, of: name, sentence, cause: .variable("OFREP_TIMEOUT_MS"))
        }
        timeout = .milliseconds(count)
    }
}

/// The evaluation context: a JSON object with a `targetingKey` and any other members.
public struct EvaluationContext: Sendable, Hashable {
    /// The default key of a context; the protocol requires one.
    public static let defaultTargetingKey = "flagmenu"

    /// The context as JSON without white space, the members in their given order.
    public let json: String

    /// A context.
    ///
    /// - Parameters:
    ///   - targetingKey: identifies the user, and determines percentage rollouts.
    ///   - attributes: all other attributes for targeting; a `targetingKey` among them is ignored.
    public init(targetingKey: String = defaultTargetingKey, attributes: FlagTable<ContextValue> = [:]) {
        let members = ContextValue.sorted(attributes).filter { $0.0 != "targetingKey" }
        json = JSONOutput.object([("targetingKey", .string(targetingKey))] + members).text(indented: false)
    }

    /// A context from settings. If it has no `targetingKey`, the default one is inserted at the start.
    ///
    /// - Returns: `nil` if the value is not an object, or its `targetingKey` is not a string.
    public init?(_ value: JSONValue) {
        let key = value["targetingKey"]
        guard value.kind == .object, key == nil || key?.text != nil else { return nil }
        let added = key == nil ? [("targetingKey", JSONOutput.string(Self.defaultTargetingKey))] : []
        let members = value.members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) }
        json = JSONOutput.object(added + members).text(indented: false)
    }
}
