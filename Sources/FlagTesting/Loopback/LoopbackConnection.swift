#if Network
import FlagRemote
import NIOCore
import NIOHTTP1

/// Reads the requests of one connection. The responses are written as bytes, so that they can be invalid.
final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let onRequest: @Sendable (LoopbackRequest) -> Void
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(onRequest: @escaping @Sendable (LoopbackRequest) -> Void) { self.onRequest = onRequest }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head else { return }
            onRequest(
                LoopbackRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: SourceHeaders(head.headers.map { ($0.name, $0.value) }), body: body))
            self.head = nil
        }
    }

    /// Closes the connection of a client that disconnects or does not send HTTP.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
#endif
