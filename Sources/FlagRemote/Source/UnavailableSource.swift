package import FlagModel

/// A source that cannot be requested. Its cached values are read.
package struct UnavailableSource: RemoteSource {
    /// The identity that its values are cached under.
    package var identity: SourceIdentity
    package let name: String
    package private(set) var isCached = true
    private let known: (any RemoteSource)?
    let error: SourceError

    package var address: String { known?.address ?? name }
    package var unavailability: SourceError? { error }

    /// A known source that cannot be requested.
    package init(_ known: any RemoteSource, named name: String, _ error: SourceError) {
        (identity, self.name, self.known, self.error) = (known.identity, name, known, error)
    }

    /// A source of which only the name is known.
    package init(_ written: String, named name: String, _ error: SourceError) {
        (identity, self.name, known, self.error) = (SourceIdentity(written), name, nil, error)
    }

    /// A duplicate of another source, at an address.
    init(duplicate source: any RemoteSource, of other: String) {
        let error = SourceError(
            code: .rejected, path: source.name,
            sentence:
                "duplicate of \(other), so it is not read; remove one of them from \"sources\" (a service that "
                + "evaluates flags may appear once per context)")
        self.init(source, named: source.name, error)
        (identity, isCached) = ("\(source.identity) (duplicate)", false)
    }

    package func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer { throw error }

    package func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        guard let known else { throw .unknownShape(error.sentence) }
        return try known.decode(bytes)
    }
}
