/// Identifies a source and its evaluation context; values are cached under it. It is written to disk, so it contains no
/// secret.
///
/// The service precedes the last `#`, and the evaluation context follows it. Values are cached for each context.
public struct SourceIdentity: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The identity as text, such as `acme:https://flags.example.com#ana`.
    public let text: String

    /// An identity by its text.
    public init(_ text: String) { self.text = text }

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
