package import FlagModel

/// A source that cannot be requested. Its cached values stay in use.
package struct UnavailableSource: RemoteSource {
    /// The identity that the source's values are cached under.
    package var identity: SourceIdentity
    package let name: String
    package private(set) var isCached = true
    private let source: (any RemoteSource)?
    let error: SourceError

    package var address: String { source?.address ?? name }
    package var unavailability: SourceError? { error }

    /// A source that cannot be requested with its settings, but whose cached values can be decoded.
    package init(_ source: any RemoteSource, named name: String, _ error: SourceError) {
        (identity, self.name, self.source, self.error) = (source.identity, name, source, error)
    }

    /// A source that could not be made, so that its cached values cannot be decoded.
    package init(_ identity: String, named name: String, _ error: SourceError) {
        (self.identity, self.name, source, self.error) = (SourceIdentity(identity), name, nil, error)
    }

    /// A source with the same identity as another one.
    ///
    /// - Parameter otherAddress: the address of the other source.
    init(duplicate source: any RemoteSource, of otherAddress: String) {
        let error = SourceError(
            .rejected, of: source.name,
            "duplicate of \(otherAddress), so it is not read; remove one of them from \"sources\" (a service that "
                + "evaluates flags may appear once per context)")
        self.init(source, named: source.name, error)
        (identity, isCached) = ("\(source.identity) (duplicate)", false)
    }

    package func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult { throw error }

    package func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        guard let source else { throw .unknownShape(error.sentence) }
        return try source.decode(bytes)
    }
}
