#if Server
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A connection of the server: HTTP/1.1 with limits of time, and with a short way for evaluations.
struct ServerChannel: ServerChildChannel {
    let http: HTTP1Channel
    let responder: ServerResponder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let (pipeline, limits) = (channel.pipeline.syncOperations, responder.limits)
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandlers(
                [
                    // After the decoder, so that a head that comes byte by byte counts only when it is complete.
                    IdleStateHandler(readTimeout: TimeAmount(limits.idleTime)),
                    RequestDeadline(limits.requestTime),
                    EvaluationHandler(responder, encoder: pipeline.context(handlerType: HTTPResponseEncoder.self)),
                ], position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
#endif
