#if !Network
public import FlagRemote

/// Replaces the transport if the trait `Network` is off, so that neither SwiftNIO nor BoringSSL is compiled.
public typealias HTTPTransport = MissingHTTPTransport

/// A transport that throws an error for each request.
public final class MissingHTTPTransport: SourceTransport {
    /// A transport that sends no requests.
    public init(_ settings: TransportSettings = TransportSettings()) {}

    /// Does nothing, as there are no connections.
    public func shutdown() async {}

    /// Throws an error, as this build has no network sources.
    public func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse { throw .notCompiledIn(request.source) }

    /// Throws an error, as this build has no network sources.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        throw .notCompiledIn(request.source)
    }
}
#endif
