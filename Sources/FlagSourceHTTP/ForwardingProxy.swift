#if Network
import FlagRemote
import NIOCore
import NIOHTTP1

// A proxy that forwards requests without encryption (RFC 9112, section 3.2.2). Many proxies open no tunnel to port 80.
extension Proxies.Proxy {
    /// The URL that a request has for async-http-client: the proxy, with the path of the service. ``AbsoluteTarget``
    /// then adds the service's host in front of the path.
    func url(for url: SourceURL) -> String { "http://\(host):\(port)\(url.target)" }

    /// The headers that name the service's host and contain the credentials of the proxy.
    func headers(for url: SourceURL) -> [(name: String, value: String)] {
        [("Host", url.authority)] + (basicCredentials.map { [("Proxy-Authorization", "Basic \($0)")] } ?? [])
    }

    /// The user and the password for the header `Proxy-Authorization` (RFC 7617).
    var basicCredentials: String? {
        (credentials?.reveal()).map { Base64Text.text(($0.contains(":") ? $0 : "\($0):").utf8) }
    }
}

extension Proxies {
    /// The body of a response, with the credentials of the proxy replaced by ``Secret/mask``.
    func masking(_ body: [UInt8], to url: SourceURL) -> [UInt8] {
        guard let proxy = proxy(for: url), let credentials = proxy.credentials?.reveal(),
            let encoded = proxy.basicCredentials
        else { return body }
        let password = credentials.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        let text = String(decoding: body, as: UTF8.self)
        let masked = [encoded, credentials, password].filter { !$0.isEmpty }
            .reduce(text) { $0.replacing($1, with: Secret.mask) }
        return masked == text ? body : Array(masked.utf8)
    }
}

/// Replaces the path in each request of a connection by the whole URL, because a proxy needs the URL. async-http-client
/// has no setting for this.
final class AbsoluteTarget: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Adds the handler to a new connection, in front of the handler that encodes requests.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
            try pipeline.addHandler(AbsoluteTarget(), position: .after(encoder.handler))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), let host = head.headers.first(name: "Host") else {
            return context.write(data, promise: promise)
        }
        head.uri = "http://\(host)\(head.uri)"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
#endif
