/// Sends requests to services: an HTTP client, or a fake in tests.
///
/// A transport does not know about flags and does not interpret statuses. It follows redirects, decompresses, and
/// enforces the limits; every failure is a ``SourceError`` that names the source of the request.
public protocol SourceTransport: Sendable {
    /// Sends a request and waits for the whole response, whatever its status.
    ///
    /// - Parameter progress: called with the growing number of received bytes.
    /// - Throws: why there is no response, such as cancellation.
    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse

    /// Opens a response that arrives in pieces and may never end; returns when its status and headers have arrived.
    ///
    /// `limits.total` applies until the headers have arrived, `limits.idleTimeout` to the wait for each later piece.
    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream
}

/// A response that is still arriving.
public struct SourceStream: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The headers.
    public let headers: SourceHeaders
    /// The body as it arrives.
    public internal(set) var chunks: ByteChunks

    /// A response that is still arriving.
    public init(status: Int, headers: SourceHeaders, chunks: ByteChunks) {
        (self.status, self.headers, self.chunks) = (status, headers, chunks)
    }
}

/// Bytes as they arrive. Ending the iteration closes the connection.
public struct ByteChunks: AsyncSequence, Sendable {
    private let base: any AsyncSequence<[UInt8], any Error> & Sendable
    private let mapError: @Sendable (any Error) -> SourceError
    /// The clock that limits the rate at which the bytes are read, so that a service that sends endlessly does not use a
    /// whole core; `nil` for no limit.
    var clock: SourceClock?

    /// The bytes of a sequence.
    ///
    /// - Parameters:
    ///   - base: pieces of any length.
    ///   - mapError: converts an error that `base` throws.
    public init(
        _ base: any AsyncSequence<[UInt8], any Error> & Sendable,
        failure mapError: @escaping @Sendable (any Error) -> SourceError
    ) {
        (self.base, self.mapError) = (base, mapError)
    }

    /// An iterator over the pieces.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), mapError: mapError, clock: clock)
    }

    /// Reads one piece after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: any AsyncIteratorProtocol<[UInt8], any Error>
        fileprivate let mapError: @Sendable (any Error) -> SourceError
        fileprivate let clock: SourceClock?
        fileprivate var limit = RateLimit(perSecond: Self.bytesPerSecond)
        /// Whether this second's limit is exceeded, so that the next read waits.
        fileprivate var isAhead = false

        /// The maximum read rate: a large set of flags arrives without a wait, and endless events take a few percent of
        /// a core.
        private static let bytesPerSecond = 8 << 20
        /// The additional cost of parsing a line, as a number of bytes.
        private static let lineCost = 400

        /// The next piece; `nil` if the service has sent everything.
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
                throw mapError(error)
            }
        }
    }
}
