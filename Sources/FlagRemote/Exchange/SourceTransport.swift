/// What carries questions to services: a client of HTTP, or a stand-in in tests.
///
/// A transport knows nothing of flags and judges no status. It follows redirects, decompresses, and keeps the limits;
/// whatever fails there is a ``SourceError`` that names the source of the request.
public protocol SourceTransport: Sendable {
    /// Asks and waits for the whole answer, whatever its status.
    ///
    /// - Parameter progress: told of what has come, in the order in which it comes.
    /// - Throws: why there is no answer; cancellation is one such reason.
    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse

    /// Asks for an answer that comes bit by bit and may never end; returns with its first line.
    ///
    /// `limits.total` holds for that line, `limits.silence` for every wait after it.
    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream
}

/// An answer that is on its way.
public struct SourceStream: Sendable {
    /// The status of HTTP.
    public let status: Int
    /// What is said besides.
    public let headers: SourceHeaders
    /// The content as it comes.
    public let chunks: ByteChunks

    /// An answer on its way.
    public init(status: Int, headers: SourceHeaders, chunks: ByteChunks) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }
}

/// Bytes as they come. Whoever stops iterating ends the connection.
public struct ByteChunks: AsyncSequence, Sendable {
    private let base: any AsyncSequence<[UInt8], any Error> & Sendable
    private let failure: @Sendable (any Error) -> SourceError
    private var clock: SourceClock?

    /// - Parameter failure: says what an error of the base means.
    public init(
        _ base: any AsyncSequence<[UInt8], any Error> & Sendable,
        failure: @escaping @Sendable (any Error) -> SourceError
    ) {
        self.base = base
        self.failure = failure
    }

    /// Begins with the first piece.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), failure: failure, clock: clock)
    }

    /// The same, read at a pace that a service cannot drive up: what it sends faster waits with it.
    func paced(by clock: SourceClock) -> ByteChunks {
        var chunks = self
        chunks.clock = clock
        return chunks
    }

    /// Reads one piece after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: any AsyncIteratorProtocol<[UInt8], any Error>
        fileprivate let failure: @Sendable (any Error) -> SourceError
        fileprivate let clock: SourceClock?
        private var limit = RateLimit(perSecond: Self.bytesPerSecond)
        private var isAhead = false

        fileprivate init(
            base: any AsyncIteratorProtocol<[UInt8], any Error>,
            failure: @escaping @Sendable (any Error) -> SourceError,
            clock: SourceClock?
        ) {
            (self.base, self.failure, self.clock) = (base, failure, clock)
        }

        /// A large set of flags comes at once; events without end take a few percent of a core.
        private static let bytesPerSecond = 8 << 20
        /// What reading a line costs, in bytes that cost as much.
        private static let lineCost = 400

        /// The next piece; `nil` when the service has sent everything.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SourceError) -> [UInt8]? {
            do {
                if isAhead, let clock { try await clock.sleep(.seconds(1)) }
                let piece = try await base.next(isolation: actor)
                if let piece, let clock {
                    let lines = piece.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                    isAhead = limit.isExceeded(adding: piece.count + lines * Self.lineCost, at: clock.now())
                }
                return piece
            } catch {
                throw failure(error)
            }
        }
    }
}
