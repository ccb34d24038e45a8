import FlagModel
public import FlagRemote

/// A source whose last good copies are kept: a file, which is there at once, or a service, which has to be asked.
public enum KeptSource: Sendable, Equatable {
    /// A document on disk.
    case file(FileSource)
    /// What lies behind a network.
    case service(any RemoteSource)

    /// Tells it from every other source.
    public var identity: String {
        switch self {
        case .file(let file): file.absolutePath
        case .service(let source): source.identity
        }
    }

    /// The service; `nil` for a file.
    public var service: (any RemoteSource)? { if case .service(let source) = self { source } else { nil } }

    /// Equal when they are the same source.
    public static func == (left: KeptSource, right: KeptSource) -> Bool {
        (left.service == nil) == (right.service == nil) && left.identity == right.identity
    }

    /// What bytes of this source say.
    func document(_ bytes: [UInt8]) throws(DocumentError) -> SourceDocument {
        switch self {
        case .file(let file): try file.document(bytes)
        case .service(let source): .remote(try source.decode(bytes))
        }
    }
}

/// What tells one state of a source from another without reading it.
enum CopyMark: Sendable, Hashable {
    case file(FileFingerprint)
    /// What the service calls it; `nil` where it has no name for that.
    case version(String?)
}

/// What services have answered, by their identities.
public typealias SourceAnswers = [String: Result<SourceAnswer, SourceError>]
