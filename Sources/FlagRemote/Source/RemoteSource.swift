public import FlagModel

/// Where remote values come from: a file, or a service of feature flags.
///
/// A source only responds. The engine caches the last good response, schedules requests and activates values.
public protocol RemoteSource: Sendable, CustomStringConvertible, CustomReflectable {
    /// Identifies this source and its evaluation context; see ``SourceIdentity``.
    var identity: SourceIdentity { get }

    /// The name that titles and messages show.
    var name: String { get }

    /// The source as settings and commands name it, without secrets: its name unless it has a longer one, such as a path.
    var address: String { get }

    /// Whether its last good values are cached on disk; not if they are built in.
    var isCached: Bool { get }

    /// Why it cannot be requested, such as a missing credential; `nil` if it can. What is cached of it stays in use.
    var unavailability: SourceError? { get }

    /// Requests the current values.
    ///
    /// - Parameters:
    ///   - version: what the source called the values that the caller has, so that it may respond `unchanged`; `nil` if there
    ///     are none.
    ///   - progress: called with how far the response is, in the order in which it comes.
    /// - Throws: a ``SourceError``; cancellation counts as one.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> SourceAnswer

    /// An update that the service has sent since the last fetch, such as on a stream, if that needs no request; else
    /// `nil`. So a change arrives although the service is rate limited.
    ///
    /// - Parameter version: what the source called the values that the caller has.
    func takeUpdate(since version: String?) -> SourceAnswer?

    /// The current values, if they can be read without waiting; `nil` for everything on the network.
    func readSynchronously() throws(SourceError) -> SourceAnswer?

    /// How often it is polled while it is followed; `nil` if it is not polled, such as a file.
    var pollInterval: Duration? { get }

    /// Reports changes, if the service can; else `nil`. The subscription begins when the stream is first read and ends
    /// with it.
    func changes() -> AsyncStream<SourceHint>?

    /// Decodes a response.
    ///
    /// - Throws: a sentence, with line and column if there are any. Such a response never replaces cached values.
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument
}

/// The response of a source.
public enum SourceAnswer: Sendable, Hashable {
    /// A document, and its version in the source, such as an ETag; `nil` if it has none.
    case values([UInt8], version: String?)
    /// The version in the request is still the newest.
    case unchanged
}

/// What a followed source reports.
public enum SourceHint: Sendable, Hashable {
    /// There may be other values now: fetch. Several hints before the fetch are one.
    case changed
    /// Changes are reported from now on.
    case connected
    /// Changes are not reported until it is connected again, which is retried; the error says why.
    case disconnected(SourceError)
}

/// Evaluates what depends on more than the document, such as which conditions of a template apply.
public typealias DocumentEvaluation = @Sendable (_ bytes: [UInt8], _ document: RemoteDocument) -> RemoteDocument

/// Called with the progress of a response.
public typealias ProgressHandler = @Sendable (SourceProgress) -> Void

extension RemoteSource {
    /// The identity, which contains no secret: neither `print` nor `dump` shows the settings, which may contain some.
    public var description: String { identity.text }

    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["source": identity.text]) }

    /// The name.
    public var address: String { name }

    /// Cached.
    public var isCached: Bool { true }

    /// Available.
    public var unavailability: SourceError? { nil }

    /// Requests the current values without progress.
    public func fetch(since version: String?) async throws(SourceError) -> SourceAnswer {
        try await fetch(since: version) { _ in }
    }

    /// Not polled.
    public var pollInterval: Duration? { nil }

    /// Reports no changes.
    public func changes() -> AsyncStream<SourceHint>? { nil }

    /// Needs a request.
    public func takeUpdate(since version: String?) -> SourceAnswer? { nil }

    /// `nil`, as for a source on the network.
    public func readSynchronously() throws(SourceError) -> SourceAnswer? { nil }

    /// An object of keys and values, or a catalog.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try RemoteDocument(parsing: bytes)
    }
}
