public import FlagModel
public import FlagRemote

/// Decodes the flags of a response. The protocol has no catalog: the flags form one category, each with the type of its
/// value.
public enum OFREPFlags {
    /// The document of a response.
    ///
    /// - Parameters:
    ///   - bytes: the response.
    ///   - prefix: the prefix of the keys to read.
    ///   - warnings: warnings about the request, which are added to the document.
    ///   - masking: removes credentials from the server's error texts.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(
        _ bytes: [UInt8], keyPrefix prefix: String = "", warnings: [String] = [],
        masking: (String) -> String = { $0 }
    ) throws(DocumentError) -> RemoteDocument {
        var flags = EvaluatedFlags()
        for warning in warnings { flags.warn(warning) }
        for (index, entry) in try OFREPResponse.parts(of: bytes).flags.elements.enumerated() {
            add(entry, at: index, prefix, masking, to: &flags)
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ entry: JSONValue, at index: Int, _ prefix: String, _ masking: (String) -> String,
        to flags: inout EvaluatedFlags
    ) {
        guard let key = entry["key"]?.text, !key.isEmpty else {
            return flags.warn("flag \(index + 1) of the response has no string \"key\" and was left out")
        }
        guard key.isMeant(byPrefix: prefix) else { return }
        if let code = entry["errorCode"] {
            let details =
                entry["errorDetails"]?.text.map { ", \(JSONOutput.quoted(masking($0.string), limit: 120))" } ?? ""
            let word = JSONOutput.quoted(masking(code.text?.string ?? code.source), limit: 60).dropFirst().dropLast()
            return flags.warn(
                "the flag \(key.quoted) was left out: the service could not evaluate it (\(word)\(details))")
        }
        // GO Feature Flag sends null for a disabled flag: the app decides its value, as without a value.
        let value = entry["value"].flatMap { $0.kind == .null ? nil : $0 }
        let type = value.map { $0.flagType ?? .string }
        let item = FlagItem(
            key: key, details: details(entry["metadata"]), options: type == .bool ? FlagOption.booleans : [],
            declaredType: type)
        flags.add(item, value: value?.flagText, note: note(entry, value))
    }

    /// Why the flag has its value, such as `variant on, TARGETING_MATCH`.
    private static func note(_ entry: JSONValue, _ value: JSONValue?) -> FlagText? {
        let variant = entry["variant"]?.text.map { "variant \($0.string)" }
        let reason = entry["reason"]?.text?.string
        return FlagText(listing: [variant, reason, value == nil ? "left to the app" : nil])
    }

    /// The metadata, such as `team: ecommerce, owner: product-team`.
    private static func details(_ metadata: JSONValue?) -> FlagText? {
        let words = metadata?.members.map { key, value in value.flagText.map { "\(key.string): \($0.string)" } }
        return FlagText(listing: words ?? [])
    }
}

/// The URL of a server's event stream. It may contain credentials, so it is never shown or cached.
public struct EventStreamAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The URL.
    public let url: SourceURL

    /// The host.
    public var description: String { "events of \(url.authority)" }
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["stream": description]) }

    /// Reads an entry of `eventStreams`; `nil` for unknown kinds, and for entries without a URL.
    init?(_ entry: JSONValue, base: SourceURL) {
        guard entry["type"]?.text?.string == "sse" else { return nil }
        let text: String
        switch (entry["url"], entry["endpoint"]) {
        case (let url?, nil): text = url.text?.string ?? ""
        case (nil, let endpoint?):
            guard let target = endpoint["requestUri"]?.text?.string, target.hasPrefix("/") else { return nil }
            text = (endpoint["origin"].map { $0.text?.string ?? "" } ?? base.origin) + target
        default: return nil
        }
        guard let url = SourceURL(text) else { return nil }
        self.url = url
    }
}

/// A complete response for all flags, split into the flags, which are cached, and the event streams, which are not.
public struct OFREPResponse: Sendable {
    /// The response without the URLs of event streams, which must not be cached.
    public let bytes: [UInt8]
    /// The server's event streams.
    public let streams: [EventStreamAddress]

    /// Parses a response.
    ///
    /// - Parameter base: the server's URL. Streams whose entries name no origin have the origin of this URL.
    /// - Throws: why the response is not valid.
    public init(parsing body: [UInt8], base: SourceURL) throws(DocumentError) {
        let (root, _) = try Self.parts(of: body)
        streams = (root["eventStreams"]?.elements).map { $0.compactMap { EventStreamAddress($0, base: base) } } ?? []
        bytes = root["eventStreams"] == nil ? body : root.members { $0 != "eventStreams" }.bytes
    }

    /// The root object of a response, and its list of flags.
    static func parts(of body: [UInt8]) throws(DocumentError) -> (root: JSONValue, flags: JSONValue) {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let flags = root["flags"], flags.kind == .array else {
            throw .unknownShape("the response has no list \"flags\"; is this the URL of an OFREP server?")
        }
        return (root, flags)
    }
}
