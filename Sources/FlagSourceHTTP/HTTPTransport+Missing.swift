#if !Network
public import FlagRemote

/// What stands for the transport where the trait `Network` is off, so that neither SwiftNIO nor BoringSSL is compiled.
public final class HTTPTransport: SourceTransport {
    /// A transport that requests nothing.
    public init(_ settings: TransportSettings = TransportSettings()) {}

    /// Does nothing, as there are no connections.
    public func shutdown() async {}

    /// Throws that there is no network in this build.
    public func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse { throw .notCompiledIn(request.source) }

    /// Throws that there is no network in this build.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        throw .notCompiledIn(request.source)
    }
}

/// Without the network no certificate is read, so none is objected to.
enum Authorities {
    static func certificates(in path: String) throws(TransportObjection) -> [Never] { [] }
}
#endif
