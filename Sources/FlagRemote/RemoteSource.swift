public import FlagModel

/// Where remote values come from: a file, or a service of feature flags.
///
/// A source only answers; what was good last, when to ask again and when values become active is the business of who
/// asks.
public protocol RemoteSource: Sendable {
    /// Tells this source, and for whom it answers, from every other: kept values are found again by it. It is written to
    /// disk, so it holds no secret. What stands behind its last `#` is for whom it answers, and what stands before that is the
    /// service: of one service the values of a number of contexts are kept.
    var identity: String { get }

    /// The name that titles and messages show.
    var name: String { get }

    /// Asks for the values of now.
    ///
    /// - Parameter version: what the source called the values that the caller has, so that it may answer `unchanged`;
    ///   `nil` when there are none.
    /// - Throws: a ``SourceError``; cancellation counts as one.
    func fetch(since version: String?) async throws(SourceError) -> SourceAnswer

    /// What the service has told of itself since the last fetch, where that needs no question; `nil` where it has to be
    /// asked. So news are not held up while the service wants no questions.
    ///
    /// - Parameter version: what the source called the values that the caller has.
    func takeNews(since version: String?) -> SourceAnswer?

    /// What can be had without waiting; `nil` for all that lies behind a network.
    func readAtOnce() throws(SourceError) -> SourceAnswer?

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

extension RemoteSource {
    /// Not asked unasked.
    public var pollInterval: Duration? { nil }

    /// Tells nothing.
    public func changes() -> AsyncStream<SourceHint>? { nil }

    /// Has to be asked.
    public func takeNews(since version: String?) -> SourceAnswer? { nil }

    /// A source of a network.
    public func readAtOnce() throws(SourceError) -> SourceAnswer? { nil }

    /// The shapes of documents that files have.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try RemoteDocument(parsing: bytes, with: .threads)
    }
}
