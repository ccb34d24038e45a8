import FlagRemote
import NIOCore
import NIOHTTP1

/// Reads the requests of one connection. Responses are written as bytes, so that they can be wrong.
final class LoopbackConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let take: @Sendable (LoopbackRequest) -> Void
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    private init(take: @escaping @Sendable (LoopbackRequest) -> Void) { self.take = take }

    /// Adds HTTP request decoding to a pipeline.
    static func add(
        to pipeline: ChannelPipeline.SynchronousOperations, take: @escaping @Sendable (LoopbackRequest) -> Void
    ) throws {
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        try pipeline.addHandler(LoopbackConnection(take: take))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head else { return }
            take(
                LoopbackRequest(
                    method: head.method.rawValue, target: head.uri,
                    headers: SourceHeaders(head.headers.map { ($0.name, $0.value) }), body: body))
            self.head = nil
        }
    }

    /// A client that disconnects, or does not send HTTP, gets no response.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
