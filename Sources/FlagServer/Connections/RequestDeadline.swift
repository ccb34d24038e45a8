#if Server
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client takes too long to send the body of a request, even if bytes keep coming. The idle
/// limit of the server closes those that take too long to send a head.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limit: TimeAmount
    private var closing: Scheduled<Void>?

    init(_ limit: Duration) { self.limit = TimeAmount(limit) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            closing?.cancel()
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { channel.close(promise: nil) }
        case .body: break
        case .end:
            closing?.cancel()
            closing = nil
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        closing?.cancel()
        context.fireChannelInactive()
    }
}
#endif
