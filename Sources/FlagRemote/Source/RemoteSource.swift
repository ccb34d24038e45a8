public import FlagModel

/// Where remote values come from: a file, or a service of feature flags.
///
/// A source only responds to requests. The engine caches the last good response, schedules requests and activates
/// values.
public protocol RemoteSource: Sendable, CustomStringConvertible, CustomReflectable {
    /// Identifies this source and its evaluation context; see ``SourceIdentity``.
    var identity: SourceIdentity { get }

    /// The name that titles and messages show.
    var name: String { get }

    /// The name in settings and commands, without secrets. It may be longer than ``name``, such as a path; by default
    /// both are the same.
    var address: String { get }

    /// Whether the last good values are cached on disk; `false` for built-in values.
    var isCached: Bool { get }

    /// Whether an update that the source reports comes into use at once, although the app activates fetched values:
    /// `true` for a file that people edit.
    var activatesUpdates: Bool { get }

    /// Why the source cannot be requested, such as a missing credential; `nil` if it can. Cached values stay in use.
    var unavailability: SourceError? { get }

    /// Requests the current values. A source on a network implements this; for others,
    /// ``readSynchronously()`` is enough.
    ///
    /// - Parameters:
    ///   - version: the version of the caller's values, as the source named it, so that the source may respond
    ///     `unchanged`; `nil` if the caller has no values, or they have no version.
    ///   - progress: called with the progress of the response, in order.
    /// - Throws: a ``SourceError``, also if the task is cancelled.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult

    /// An update that the service has sent since the last fetch without a request, such as on a stream; `nil` if there
    /// is none. The engine calls this while the service is rate limited.
    ///
    /// - Parameter version: the source's version of the values that the caller has.
    func readPendingUpdate(since version: String?) -> FetchResult?

    /// The current values, if they can be read without waiting; `nil` for everything on the network.
    func readSynchronously() throws(SourceError) -> FetchResult?

    /// The pause between requests while the source is followed; `nil` if the source is not polled, such as a file.
    var pollInterval: Duration? { get }

    /// Reports changes; `nil` if the source cannot report any. The subscription begins when the stream is first read,
    /// and ends with the stream.
    func changes() -> AsyncStream<LiveUpdateEvent>?

    /// Decodes a response.
    ///
    /// - Throws: why the response is malformed, with line and column if known. Cached values then stay in use.
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument
}

/// What a source returns to a request: new data, or that nothing has changed.
public enum FetchResult: Sendable, Hashable {
    /// A document, and the source's name for its version, such as an ETag; `nil` if the source has none.
    case values([UInt8], version: String?)
    /// The version in the request is still the newest.
    case unchanged
}

/// What a source reports by itself: values may have changed, or its connection has begun or ended.
public enum LiveUpdateEvent: Sendable, Hashable {
    /// The values may have changed: fetch once, even if this is reported several times before the fetch.
    case changed
    /// Changes are reported from now on.
    case connected
    /// Changes are not reported until the next `connected`. The source retries; the error says why it is not connected.
    case disconnected(SourceError)
}

/// Evaluates the parts of a document that depend on a context, such as which conditions of a template apply.
public typealias DocumentEvaluation = @Sendable (_ bytes: [UInt8], _ document: RemoteDocument) -> RemoteDocument

/// Called by a source during a request, with the bytes received so far or the next attempt.
public typealias ProgressHandler = @Sendable (SourceProgress) -> Void

extension RemoteSource {
    /// The identity, which contains no secret: neither `print` nor `dump` shows the settings, which may contain some.
    public var description: String { identity.text }

    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["source": identity.text]) }

    /// The name.
    public var address: String { name }

    /// `true`.
    public var isCached: Bool { true }

    /// `false`.
    public var activatesUpdates: Bool { false }

    /// `nil`.
    public var unavailability: SourceError? { nil }

    /// The values that can be read without waiting: the default for sources that are not on a network.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult { try readSynchronously() ?? .unchanged }

    /// Requests the current values without reporting progress.
    public func fetch(since version: String?) async throws(SourceError) -> FetchResult {
        try await fetch(since: version) { _ in }
    }

    /// `nil`: not polled.
    public var pollInterval: Duration? { nil }

    /// `nil`: reports no changes.
    public func changes() -> AsyncStream<LiveUpdateEvent>? { nil }

    /// `nil`: updates need a request.
    public func readPendingUpdate(since version: String?) -> FetchResult? { nil }

    /// `nil`, as for a source on the network.
    public func readSynchronously() throws(SourceError) -> FetchResult? { nil }

    /// Decodes an object of keys and values, or a catalog.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try RemoteDocument(parsing: bytes)
    }
}
