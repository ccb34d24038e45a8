public import FlagModel
public import FlagRemote

/// Where a server tells of changes. The address may hold credentials, so it is shown nowhere and never kept.
public struct EventStreamAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Where to listen.
    public let url: SourceURL

    /// The host.
    public var description: String { "events of \(url.authority)" }
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["stream": description]) }

    /// Reads an entry of `eventStreams`; `nil` for kinds that are not known, and for entries without an address.
    init?(_ entry: JSONValue, base: SourceURL) {
        guard entry["type"]?.text?.string == "sse" else { return nil }
        if let text = entry["url"]?.text?.string, entry["endpoint"] == nil {
            guard let url = SourceURL(text) else { return nil }
            self.url = url
        } else if let endpoint = entry["endpoint"], entry["url"] == nil {
            guard let target = endpoint["requestUri"]?.text?.string, target.hasPrefix("/") else { return nil }
            let origin = endpoint["origin"].map { $0.text?.string ?? "" } ?? base.origin
            guard let url = SourceURL(origin + target) else { return nil }
            self.url = url
        } else {
            return nil
        }
    }
}

/// A complete answer for all flags, taken apart into what is kept and what is for this run alone.
public struct OFREPAnswer: Sendable {
    /// The answer without the addresses of event streams, which must not be kept.
    public let bytes: [UInt8]
    /// Where the server tells of changes.
    public let streams: [EventStreamAddress]

    /// Takes an answer apart.
    ///
    /// - Parameter base: the server's own address, which streams may leave out.
    /// - Throws: what is wrong with it.
    public init(parsing body: [UInt8], base: SourceURL) throws(DocumentError) {
        let (root, _) = try Self.parts(of: body)
        streams = (root["eventStreams"]?.elements).map { $0.compactMap { EventStreamAddress($0, base: base) } } ?? []
        let kept = root.members.filter { $0.key.string != "eventStreams" }
        guard kept.count < root.count else {
            bytes = body
            return
        }
        let members = kept.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) }
        bytes = Array(JSONOutput.object(members).text(indented: false).utf8)
    }

    /// The object that an answer is, and its list of flags.
    static func parts(of body: [UInt8]) throws(DocumentError) -> (root: JSONValue, flags: JSONValue) {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, let flags = root["flags"], flags.kind == .array else {
            throw .unknownShape("the response has no list \"flags\"; is this the URL of an OFREP server?")
        }
        return (root, flags)
    }
}
