package import FlagModel

/// A response of a source, decoded.
package struct FetchedDocument: Sendable {
    /// The bytes of the response until they are cached, then only their digest.
    enum Content: Sendable {
        case bytes([UInt8])
        case digest(String)
    }

    package let document: RemoteDocument
    /// When the source last sent or confirmed the document.
    package internal(set) var fetchedAt: FlagTimestamp
    /// The source's name for this version of the document, such as an ETag; `nil` if the source has none.
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
    func consists(of bytes: [UInt8]) -> Bool {
        switch content {
        case .bytes(let content): content == bytes
        case .digest(let digest): digest == StableHash.bytes(bytes)
        }
    }

    /// Whether both documents have the same bytes.
    func hasSameBytes(as other: FetchedDocument) -> Bool {
        if case .bytes(let bytes) = other.content { return consists(of: bytes) }
        return digest == other.digest
    }

    /// The same response with another decoded document.
    func replacing(_ document: RemoteDocument) -> FetchedDocument {
        FetchedDocument(document: document, fetchedAt: fetchedAt, version: version, content: content)
    }

    /// The same response, confirmed by its source at a time.
    func confirmed(at now: FlagTimestamp, version: String?) -> FetchedDocument {
        var copy = self
        (copy.fetchedAt, copy.version) = (now, version)
        return copy
    }
}

extension RemoteDocument {
    /// Whether the menu shows no difference between the documents. Their bytes may still differ, for instance in a
    /// version number.
    func hasSameContent(as other: RemoteDocument) -> Bool {
        kind == other.kind && values == other.values && catalog?.items == other.catalog?.items
            && catalog?.categories == other.catalog?.categories && notes == other.notes
            && conditions == other.conditions
    }
}
