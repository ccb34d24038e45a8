/// The name under which a source's values are cached: the service or file, and the user or context that the values are
/// for. It is written to disk, so it contains no secret.
///
/// The text before the last `#` identifies the service, the text after it the evaluation context.
public struct SourceIdentity: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The identity as text, such as `acme:https://flags.example.com#ana`.
    public let text: String

    /// An identity by its text.
    public init(_ text: String) { self.text = text }

    /// The identity of a service, with short hashes of what may be personal or secret.
    ///
    /// - Parameters:
    ///   - context: the evaluation context, and the settings that affect the values.
    ///   - environment: what distinguishes environments at the same URL; empty for nothing.
    package init(_ scheme: String, _ url: SourceURL, context: String, environment: String) {
        let environment = environment.isEmpty ? "" : ".\(StableHash.text(environment))"
        text = "\(scheme):\(RedactedURL.text(url))#\(StableHash.text(context))\(environment)"
    }

    /// An identity by its text.
    public init(stringLiteral value: String) { text = value }

    /// The text.
    public var description: String { text }

    /// The text before the last `#`; `nil` for a file, and for a source without a context.
    package var service: Substring? {
        guard !text.hasPrefix("/"), !text.hasPrefix("file:") else { return nil }
        return text.lastIndex(of: "#").map { text[..<$0] }
    }

    /// The path of a file source; `nil` for other sources.
    package var path: String? { text.hasPrefix("file:") ? String(text.dropFirst("file:".count)) : nil }

    /// A name for cache files, the same in every run. The text itself could contain a slash or be too long.
    package var fileName: String { StableHash.text(text) }
}
