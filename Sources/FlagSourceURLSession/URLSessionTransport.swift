public import FlagRemote

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends the requests of sources with Foundation's `URLSession`, so that an app needs no other HTTP client.
///
/// A `URLSessionConfiguration` of the app decides what the system can decide: proxies, TLS, and which networks are used.
/// There are no other settings for proxies and certificates. Cookies, caches and stored credentials are never used.
/// Redirects are followed up to the limit of the request, never from `https` to `http`; credentials and bodies are never
/// sent to another origin.
public final class URLSessionTransport: SourceTransport {
    private let exchanges = Exchanges()
    private let session: URLSession
    private let userAgent: String

    /// A transport that has sent nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: how the session connects; a copy is used. Not a configuration for the background, as that has
    ///     no responses in pieces.
    ///   - userAgent: the user agent that services receive.
    public init(_ configuration: URLSessionConfiguration = .ephemeral, userAgent: String = "flagmenu") {
        let ownConfiguration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        ownConfiguration.urlCache = nil
        ownConfiguration.urlCredentialStorage = nil
        ownConfiguration.httpCookieStorage = nil
        session = URLSession(configuration: ownConfiguration, delegate: exchanges, delegateQueue: nil)
        self.userAgent = userAgent
    }

    deinit { shutdown() }

    /// Ends all requests under way. Later requests fail.
    public func shutdown() {
        exchanges.shutdown()
        // Until then, the session keeps its delegate.
        session.invalidateAndCancel()
    }

    /// Sends a request and waits for the whole response.
    public func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        let failure = ExchangeFailure(request, limits)
        return try await within(limits.total, failure: { failure.error($0) }) {
            try await self.execute(request, limits, decompressing: true).response(failure, progress: progress)
        }
    }

    /// Opens a response that arrives in pieces. If pieces arrive faster than they are read, at most `limits.bodySize`
    /// bytes wait; then the stream ends with an error.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let failure = ExchangeFailure(request, limits)
        return try await within(limits.total, failure: { failure.error($0) }) {
            try await self.execute(request, limits, decompressing: false).requirePlain(failure)
        }
    }

    private func execute(
        _ request: SourceRequest, _ limits: SourceLimits, decompressing: Bool
    ) async throws -> SourceStream {
        try await request.followingRedirects { request in
            // Errors name the host of this request. After a redirect it may differ from the host of the first request.
            let failure = ExchangeFailure(request, limits)
            do {
                let wire = try wire(request, limits, decompressing: decompressing)
                let exchange = try exchanges.start(wire, on: session, unreadLimit: limits.bodySize)
                let (status, headers) = try await exchange.head()
                return SourceStream(
                    status: status, headers: headers,
                    chunks: ByteChunks(exchange.body) { failure.error($0, hasHead: true, isStream: !decompressing) })
            } catch {
                throw failure.error(error)
            }
        }
    }

    private func wire(_ request: SourceRequest, _ limits: SourceLimits, decompressing: Bool) throws -> URLRequest {
        // Without the user and password of the URL, which `URLSession` would send.
        guard let url = URL(string: "\(request.url.scheme)://\(request.url.authority)\(request.url.target)") else {
            throw URLError(.badURL)
        }
        var wire = URLRequest(url: url)
        wire.httpMethod = request.method.rawValue
        for field in request.headers.fields { wire.addValue(field.value, forHTTPHeaderField: field.name) }
        wire.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        // Always set, as without this header a proxy may compress a stream.
        wire.setValue(decompressing ? "gzip, deflate" : "identity", forHTTPHeaderField: "Accept-Encoding")
        if !request.body.isEmpty { wire.httpBody = Data(request.body) }
        // FoundationNetworking ignores fractions of a second.
        let idleTimeout = limits.idleTimeout.components
        wire.timeoutInterval = Double(idleTimeout.seconds + (idleTimeout.attoseconds > 0 ? 1 : 0))
        return wire
    }
}
