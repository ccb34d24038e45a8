import FlagModel

/// A text that must not be seen: a token, a key, a password.
///
/// Printing it, putting it into another text, dumping it or encoding it gives `***`. Only ``reveal()`` gives the text, so
/// that a search for that word finds every place where a secret leaves.
public struct Secret: Sendable, Hashable {
    /// What is shown in its place.
    public static let mask = "***"

    private let text: String

    /// Takes a secret over.
    public init(_ text: String) { self.text = text }

    /// The text itself, for the one place that it is meant for.
    public func reveal() -> String { text }

    /// What tells two secrets apart: 24 bits of a hash, far too few to find a secret by.
    package var mark: String { String(FNV1a.hash(of: Array(text.utf8)) & 0xFF_FFFF, radix: 16) }

    /// `true` when there is no text at all.
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
