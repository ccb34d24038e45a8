import FlagModel

/// A text that must not be shown: a token, a key, a password.
///
/// Printing, interpolating, dumping or encoding it gives `***`. Only ``reveal()`` returns the text, so that a search
/// for that word finds every place where a secret leaves.
public struct Secret: Sendable, Hashable {
    /// What is shown in its place.
    public static let mask = "***"

    private let text: String

    /// A secret from its text.
    public init(_ text: String) { self.text = text }

    /// The text itself, for its one intended use.
    public func reveal() -> String { text }

    /// A fingerprint that distinguishes two secrets: 24 bits of a hash, far too few to recover a secret.
    package var mark: String { String(FNV1a.hash(of: Array(text.utf8)) & 0xFF_FFFF, radix: 16) }

    /// `true` if the text is empty.
    public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, Encodable {
    /// The mask.
    public var description: String { Self.mask }
    /// The mask.
    public var debugDescription: String { Self.mask }
    /// A mirror without children, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Encodes the mask.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.mask)
    }
}
