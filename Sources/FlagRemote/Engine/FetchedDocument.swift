package import FlagModel

/// A response of a source, decoded.
package struct FetchedDocument: Sendable {
    /// The decoded document.
    package fileprivate(set) var document: RemoteDocument
    /// When the source last sent or confirmed the document.
    package internal(set) var fetchedAt: FlagTimestamp
    /// The source's name for this version of the document, such as an ETag; `nil` if the source has none.
    package internal(set) var version: String?
    /// The hash of the bytes of the response. Responses with the same digest are the same.
    let digest: String
    /// The bytes of the response until they are cached; then `nil`.
    var bytes: [UInt8]?

    /// The same response with another decoded document.
    func replacing(_ document: RemoteDocument) -> FetchedDocument {
        var copy = self
        copy.document = document
        return copy
    }

    /// A response, decoded unless its bytes are those of a known document; `nil` if the source has nothing newer.
    static func decoded(
        _ result: FetchResult, by source: any RemoteSource, known: [FetchedDocument?], at now: FlagTimestamp
    ) throws(SourceError) -> FetchedDocument? {
        guard case .values(let bytes, let version) = result else { return nil }
        let digest = StableHash.document(bytes)
        let known = known.lazy.compactMap { $0 }.first { $0.digest == digest }
        let document = if let known { known.document } else { try source.document(bytes) }
        return FetchedDocument(
            document: document, fetchedAt: now, version: version, digest: digest, bytes: bytes)
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

extension RemoteSource {
    /// Decodes a response; an error names the file or the source.
    func document(_ bytes: [UInt8]) throws(SourceError) -> RemoteDocument {
        try SourceError.reading(identity.path ?? name) { () throws(DocumentError) in try decode(bytes) }
    }
}
