#if Server
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Responds to evaluations of one flag on the event loop, at once. For so short a response, a task, an asynchronous
/// sequence of its parts and several conversions would take longer than everything else.
///
/// All other requests are passed on. So is a request that follows one that has no response yet, as responses keep the
/// order of the requests, and the request of a client that does not read its responses.
final class EvaluationHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: ServerResponder
    /// The place in the pipeline where responses are bytes.
    private let encoder: ChannelHandlerContext
    /// The request being received, until it is clear whether it is passed on.
    private var held: (head: HTTPRequestHead, body: [UInt8])?
    /// How many requests were passed on and have no response yet.
    private var waiting = 0
    private var hasWritten = false

    /// - Parameter encoder: the context of the handler that encodes the other responses.
    init(_ responder: ServerResponder, encoder: ChannelHandlerContext) {
        self.responder = responder
        self.encoder = encoder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where mayRespond(to: head, context): held = (head, [])
        case .head:
            waiting += 1
            context.fireChannelRead(data)
        case .body(let buffer):
            guard let size = held?.body.count, size + buffer.readableBytes <= responder.limits.bodySize else {
                return passOn(data, context)
            }
            held?.body += buffer.readableBytesView
        case .end:
            guard let request = held,
                let response = responder.respondNow(to: request.head, at: request.head.uri, body: request.body)
            else { return passOn(data, context) }
            held = nil
            encoder.write(NIOAny(IOData.byteBuffer(response)), promise: nil)
            hasWritten = true
        }
    }

    private func mayRespond(to head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Bool {
        // Where the client asks for the end of the connection, the server closes it.
        head.method == .POST && ServerResponder.isEvaluationOfFlag(head.uri) && head.isKeepAlive && waiting == 0
            && context.channel.isWritable
    }

    /// Passes on a part of a request, after the parts that were held.
    private func passOn(_ part: NIOAny, _ context: ChannelHandlerContext) {
        if let (head, body) = held {
            held = nil
            waiting += 1
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if !body.isEmpty { context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: body)))) }
        }
        context.fireChannelRead(part)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasWritten { context.flush() }
        hasWritten = false
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // A head that cannot be parsed gets a response, too, but was never passed on.
        if case .end = unwrapOutboundIn(data), waiting > 0 { waiting -= 1 }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A stream is idle for longer, while it has a response.
        if event is IdleStateHandler.IdleStateEvent, waiting == 0 { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
