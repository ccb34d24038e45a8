public import FlagModel

/// Where remote values come from: a file, or a service of feature flags.
///
/// A source only answers; what was good last, when to ask again and when values become active is the business of who
/// asks.
public protocol RemoteSource: Sendable, CustomStringConvertible, CustomReflectable {
    /// Tells this source, and for whom it evaluates flags, from every other; see ``SourceIdentity``.
    var identity: SourceIdentity { get }

    /// The name that titles and messages show.
    var name: String { get }

    /// The source as settings and commands name it, without secrets: its name unless it has a longer one, such as a path.
    var address: String { get }

    /// Whether its last good values are cached on disk; not if they are built in.
    var isCached: Bool { get }

    /// Why it cannot be requested, such as a missing credential; `nil` if it can. What is cached of it stays in use.
    var unavailability: SourceError? { get }

    /// Requests the values of now.
    ///
    /// - Parameters:
    ///   - version: what the source called the values that the caller has, so that it may respond `unchanged`; `nil` if there
    ///     are none.
    ///   - progress: called with how far the response is, in the order in which it comes.
    /// - Throws: a ``SourceError``; cancellation counts as one.
    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> SourceAnswer

    /// What the service has told of itself since the last fetch, where that needs no question; `nil` where it has to be
    /// asked. So news are not held up while the service wants no questions.
    ///
    /// - Parameter version: what the source called the values that the caller has.
    func takeUpdate(since version: String?) -> SourceAnswer?

    /// What can be had without waiting; `nil` for all that lies behind a network.
    func readSynchronously() throws(SourceError) -> SourceAnswer?

    /// How often it is to be asked while somebody looks at its values; `nil` where nothing is gained by asking again
    /// unasked, as with a file.
    var pollInterval: Duration? { get }

    /// News of changes, for a source whose service can tell of them; `nil` where it cannot. Listening begins with the
    /// first look at the stream and ends with it.
    func changes() -> AsyncStream<SourceHint>?

    /// What an answer says.
    ///
    /// - Throws: a sentence, with line and column where there are any. Kept values are never replaced by such an answer.
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument
}

/// What a source says.
public enum SourceAnswer: Sendable, Hashable {
    /// A document, and what the source calls this state of it (an ETag, a version number), where it has a name for that.
    case values([UInt8], version: String?)
    /// The version that was named is still the newest.
    case unchanged
}

/// What a service tells of itself, unasked.
public enum SourceHint: Sendable, Hashable {
    /// There may be other values now: fetch. Several hints before the fetch are one.
    case changed
    /// Nothing hinders it from telling of changes any more.
    case connected
    /// It tells of no changes until it is connected again, which is tried; the error says why.
    case disconnected(SourceError)
}

/// Evaluates what the shape of a document does not tell, such as which conditions of a template hold.
public typealias DocumentEvaluation = @Sendable (_ bytes: [UInt8], _ document: RemoteDocument) -> RemoteDocument

/// Called with how far a response is.
public typealias ProgressHandler = @Sendable (SourceProgress) -> Void

extension RemoteSource {
    /// The identity, as it holds no secret: neither `print` nor `dump` shows the settings, which may hold some.
    public var description: String { identity.text }

    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["source": identity.text]) }

    /// The name.
    public var address: String { name }

    /// Cached.
    public var isCached: Bool { true }

    /// Available.
    public var unavailability: SourceError? { nil }

    /// Requests the values of now, if nobody looks at the progress.
    public func fetch(since version: String?) async throws(SourceError) -> SourceAnswer {
        try await fetch(since: version) { _ in }
    }

    /// Not asked unasked.
    public var pollInterval: Duration? { nil }

    /// Tells nothing.
    public func changes() -> AsyncStream<SourceHint>? { nil }

    /// Has to be asked.
    public func takeUpdate(since version: String?) -> SourceAnswer? { nil }

    /// A source of a network.
    public func readSynchronously() throws(SourceError) -> SourceAnswer? { nil }

    /// An object of keys and values, or a catalog.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try RemoteDocument(parsing: bytes)
    }
}
