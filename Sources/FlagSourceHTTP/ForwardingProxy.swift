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

    /// The credentials in each form in which the proxy may quote them in a response.
    var secrets: [String] {
        guard let credentials = credentials?.reveal(), let basicCredentials else { return [] }
        let password = credentials.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
        return [basicCredentials, credentials] + password
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
