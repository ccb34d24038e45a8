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
        do {
            return try await within(limits.total) {
                let response = try await self.execute(request, limits, decompressing: true)
                let body = try await response.bytes(upTo: limits.bodySize, failure, progress: progress)
                let result = SourceResponse(
                    status: Int(response.status.code), headers: SourceHeaders(response.headers), body: body)
                // A proxy may quote the whole request. Sources mask only their own credentials.
                return result.status < 300
                    ? result : result.masking(self.settings.proxies.proxy(for: request.url)?.secrets ?? [])
            }
        } catch {
            throw failure.error(error)
        }
    }

    /// Opens a response that arrives in pieces.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let failure = HTTPFailure(request: request, limits: limits, settings: settings)
        do {
            let response = try await within(limits.total) {
                try await self.execute(request, limits, decompressing: false)
            }
            let coding = response.headers.first(name: "Content-Encoding") ?? "identity"
            if 200...299 ~= response.status.code, !["", "identity"].contains(coding.lowercased()) {
                throw failure.unknownCoding(coding)
            }
            return SourceStream(
                status: Int(response.status.code), headers: SourceHeaders(response.headers),
                chunks: ByteChunks(response.body.map { Array($0.readableBytesView) }) { failure.streamError($0) })
        } catch {
            throw failure.error(error)
        }
    }

    private func execute(
        _ request: SourceRequest, _ limits: SourceLimits, decompressing: Bool
    ) async throws -> HTTPClientResponse {
        var request = request
        var hasLostSecrets = false
        for hop in 0...SourceLimits.redirects {
            // Errors name the host of this request. After a redirect it may differ from the host of the first request.
            let failure = HTTPFailure(request: request, limits: limits, settings: settings)
            let proxy = try settings.proxies.way(to: request.url).get()
            warnIfUnverified(request)
            // The size of URL and headers on the wire, in bytes.
            let head = request.headers.fields.reduce(request.url.text.utf8.count) {
                $0 + $1.name.utf8.count + $1.value.utf8.count + 4
            }
            guard head <= Self.headLimit else {
                throw failure.tooLong(head, Self.headLimit, isRedirected: hop > 0)
            }
            let kind = ClientKind(
                proxy: proxy, isSecure: request.url.isSecure, idleTimeout: limits.idleTimeout,
                decompressionLimit: decompressing ? limits.bodySize : nil)
            let response: HTTPClientResponse
            do {
                response = try await client(kind).execute(
                    wire(request, kind), deadline: .now() + TimeAmount(limits.total))
            } catch {
                throw failure.error(error)
            }
            let (status, location) = (Int(response.status.code), response.headers.first(name: "Location"))
            guard let next = try request.redirected(by: status, to: location) else {
                if hasLostSecrets, [401, 403].contains(status) { throw failure.rejectedWithoutCredentials }
                return response
            }
            hasLostSecrets = hasLostSecrets || request.headers.hasSecrets && !next.headers.hasSecrets
            request = next
        }
        throw SourceError(
            .rejected, of: request.source,
            "the service redirected more than \(SourceLimits.redirects) times; correct the address of the source",
            cause: .redirect)
    }

    /// The maximum size of a request's URL and headers, in bytes: 48 KiB. Servers accept 8 to 32 KiB. NIO buffers 64
    /// KiB before a socket, and async-http-client crashes if the URL and headers of a request with a body exceed this
    /// buffer.
    private static let headLimit = 48 << 10

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
