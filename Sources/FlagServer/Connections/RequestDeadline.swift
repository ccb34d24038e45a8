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
    /// Whether a body is being received.
    private var isReceiving = false

    init(_ limit: Duration) { self.limit = TimeAmount(limit) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReceiving = true
        case .body: break
        case .end:
            isReceiving = false
            closing?.cancel()
            closing = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive at once and need no timer.
        if isReceiving, closing == nil {
            let channel = context.channel
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { channel.close(promise: nil) }
        }
        context.fireChannelReadComplete()
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }
}
#endif
