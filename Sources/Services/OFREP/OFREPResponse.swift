public import FlagModel
public import FlagRemote

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
