import FlagModel

/// A text that must not be shown: a token, a key, a password.
///
/// Printing, interpolating, dumping or encoding a secret gives `***`. Only ``reveal()`` returns the text, so that a
/// search for `reveal` finds every use of the text.
public struct Secret: Sendable, Hashable {
    /// The text that is shown in place of a secret.
    public static let mask = "***"

    private let text: String

    /// A secret from its text.
    public init(_ text: String) { self.text = text }

    /// The secret text itself.
    public func reveal() -> String { text }

    /// A fingerprint that distinguishes two secrets: 24 bits of a hash, too few to recover the text.
    package var mark: String { String(FNV1a.hash(of: Array(text.utf8)) & 0xFF_FFFF, radix: 16) }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomReflectable, Encodable {
    /// The mask.
    public var description: String { Self.mask }
    /// A mirror without children, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Encodes the mask.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.mask)
    }
}
