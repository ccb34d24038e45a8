#if Network
import AsyncHTTPClient
import Dispatch
public import FlagRemote
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends the requests of sources over HTTP.
///
/// No thread and no socket is opened before the first request. Certificates are verified unless
/// ``TransportSettings/Trust`` disables that, with a warning. Redirects are followed up to the limit of the request,
/// never from `https` to `http`; credentials and bodies are never sent to another origin.
public final class HTTPTransport: SourceTransport {
    private struct State {
        /// The clients, each created for its first request.
        var clients: [ClientKind: HTTPClient] = [:]
        var isShutDown = false
        /// The origins for which a warning about an unverified certificate was printed.
        var warnedOrigins: Set<String> = []
    }

    private let settings: TransportSettings
    private let state = Mutex(State())

    /// A transport that has opened nothing yet.
    public init(_ settings: TransportSettings = TransportSettings()) { self.settings = settings }

    // The library requires that clients are shut down.
    deinit { for client in removeClients() { client.shutdown(queue: .global()) { _ in } } }

    /// Closes all connections, including those with a request under way. Later requests fail.
    public func shutdown() async {
        for client in removeClients() {
            // A connection that cannot be closed cleanly is harmless.
            try? await client.shutdown()
        }
    }

    private func removeClients() -> [HTTPClient] {
        state.withLock { state in
            defer { (state.clients, state.isShutDown) = ([:], true) }
            return Array(state.clients.values)
        }
    }

    /// The client with some settings; created if there is none.
    private func client(_ kind: ClientKind) throws -> HTTPClient {
        try state.withLock { state in
            if let client = state.clients[kind] { return client }
            guard !state.isShutDown else { throw HTTPClientError.alreadyShutdown }
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: try kind.configuration(settings))
            state.clients[kind] = client
            return client
        }
    }

    /// Sends a request and waits for the whole response.
    public func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        let failure = HTTPFailure(request: request, limits: limits, settings: settings)
        return try await within(limits.total, failure: failure.error) {
            let stream = try await self.execute(request, limits, decompressing: true)
            let result = try await stream.response(failure.common, progress: progress)
            // A proxy may quote the whole request. Sources mask only their own credentials.
            return result.status < 300
                ? result : result.masking(self.settings.proxies.proxy(for: request.url)?.secrets ?? [])
        }
    }

    /// Opens a response that arrives in pieces.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let failure = HTTPFailure(request: request, limits: limits, settings: settings)
        return try await within(limits.total, failure: failure.error) {
            try await self.execute(request, limits, decompressing: false).requirePlain(failure.common)
        }
    }

    private func execute(
        _ request: SourceRequest, _ limits: SourceLimits, decompressing: Bool
    ) async throws -> SourceStream {
        try await request.followingRedirects { request in
            // Errors name the host of this request. After a redirect it may differ from the host of the first request.
            let failure = HTTPFailure(request: request, limits: limits, settings: settings)
            do {
                let proxy = try settings.proxies.way(to: request.url).get()
                warnIfUnverified(request)
                let kind = ClientKind(
                    proxy: proxy, isSecure: request.url.isSecure, idleTimeout: limits.idleTimeout,
                    decompressionLimit: decompressing ? limits.bodySize : nil)
                let response = try await client(kind).execute(
                    wire(request, kind), deadline: .now() + TimeAmount(limits.total))
                return SourceStream(
                    status: Int(response.status.code), headers: SourceHeaders(response.headers),
                    chunks: ByteChunks(response.body.map { Array($0.readableBytesView) }) { error in
                        decompressing ? failure.error(error) : failure.streamError(error)
                    })
            } catch {
                throw failure.error(error)
            }
        }
    }

    private func wire(_ request: SourceRequest, _ kind: ClientKind) -> HTTPClientRequest {
        var wire = HTTPClientRequest(url: kind.forwardingProxy?.url(for: request.url) ?? request.url.text)
        for (name, value) in kind.forwardingProxy?.headers(for: request.url) ?? [] {
            wire.headers.add(name: name, value: value)
        }
        wire.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers.fields { wire.headers.add(name: field.name, value: field.value) }
        wire.headers.replaceOrAdd(name: "User-Agent", value: settings.userAgent)
        // Always set, as without this header a proxy may compress a stream.
        wire.headers.replaceOrAdd(
            name: "Accept-Encoding", value: kind.decompressionLimit == nil ? "identity" : "gzip, deflate")
        if !request.body.isEmpty { wire.body = .bytes(request.body) }
        return wire
    }

    private func warnIfUnverified(_ request: SourceRequest) {
        guard settings.trust == .nobodyIsVerified, request.url.isSecure else { return }
        guard state.withLock({ $0.warnedOrigins.insert(request.url.origin).inserted }) else { return }
        settings.warn(
            "\(TransportSettings.insecureVariable)=1: the certificate of \(request.url.authority) is not verified. "
                + "Anyone on the network path can read the credentials and change the flags. Unset it.")
    }
}

extension SourceHeaders {
    init(_ headers: HTTPHeaders) { self.init(headers.map { ($0.name, $0.value) }) }
}
#endif
