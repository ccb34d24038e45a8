package import FlagModel

/// A response of a source, decoded.
package struct FetchedDocument: Sendable {
    /// The bytes of the response until they are cached, then only their digest.
    enum Content: Sendable {
        case bytes([UInt8])
        case digest(String)
    }

    /// The decoded document.
    package let document: RemoteDocument
    /// When the source last confirmed it.
    package internal(set) var fetchedAt: Timestamp
    /// What the source calls it, such as an ETag; `nil` if it has no name for it.
    package internal(set) var version: String?
    var content: Content

    /// The digest of the content.
    var digest: String {
        switch content {
        case .bytes(let bytes): StableHash.bytes(bytes)
        case .digest(let digest): digest
        }
    }

    /// Whether the content consists of these bytes.
    func isMade(of bytes: [UInt8]) -> Bool {
        switch content {
        case .bytes(let own): own == bytes
        case .digest(let digest): digest == StableHash.bytes(bytes)
        }
    }

    /// Whether both have the same content.
    func isMade(of other: FetchedDocument) -> Bool {
        if case .bytes(let bytes) = other.content { return isMade(of: bytes) }
        return digest == other.digest
    }

    /// The same response, decoded in another way.
    func replacing(_ document: RemoteDocument) -> FetchedDocument {
        FetchedDocument(document: document, fetchedAt: fetchedAt, version: version, content: content)
    }

    /// The same document, confirmed by its source.
    func confirmed(at now: Timestamp, version: String?) -> FetchedDocument {
        var copy = self
        (copy.fetchedAt, copy.version) = (now, version)
        return copy
    }
}

extension RemoteDocument {
    /// Whether another document shows the same in the menu. Two documents may differ and show the same, for instance if
    /// a service counts its versions in them.
    func saysTheSame(as other: RemoteDocument) -> Bool {
        kind == other.kind && values == other.values && catalog?.items == other.catalog?.items
            && catalog?.categories == other.catalog?.categories && notes == other.notes
            && conditions == other.conditions
    }
}
