#if Network
import FlagModel
import FlagRemote
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// The period in which a server's certificate is valid. TLS libraries report only that a certificate was rejected. An
/// expired certificate needs another remedy than a certificate of an unknown authority.
struct CertificateValidity: Sendable {
    let from: FlagTimestamp
    let until: FlagTimestamp

    /// The validity of a server's certificate, read in a second handshake that verifies nothing. No data is sent after
    /// this handshake. `nil` if no certificate arrives within the timeout.
    ///
    /// - Parameter address: the IP address of the server; `nil` to look up the host.
    static func of(_ url: SourceURL, at address: String?, timeout: Duration) async -> CertificateValidity? {
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let certificate = eventLoop.makePromise(of: NIOSSLCertificate?.self)
        let bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(TimeAmount(timeout)).channelInitializer {
            channel in
            channel.eventLoop.makeCompletedFuture {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                configuration.certificateVerification = .none
                let context = try NIOSSLContext(configuration: configuration)
                // An IP address is not allowed as a server name.
                let handler =
                    try (try? NIOSSLClientHandler(context: context, serverHostname: host))
                    ?? NIOSSLClientHandler(context: context, serverHostname: nil)
                try channel.pipeline.syncOperations.addHandlers(handler, HandshakeEnd(handler, certificate))
            }
        }
        let connection = bootstrap.connect(host: address ?? host, port: url.effectivePort)
        connection.whenFailure { _ in certificate.succeed(nil) }
        let limit = eventLoop.scheduleTask(in: TimeAmount(timeout)) { certificate.succeed(nil) }
        let result = try? await certificate.futureResult.get()
        limit.cancel()
        connection.whenSuccess { $0.close(promise: nil) }
        return result.flatMap { $0 }.map { CertificateValidity(from: $0.notValidBefore, until: $0.notValidAfter) }
    }

    private init(from: Int, until: Int) {
        (self.from, self.until) = (FlagTimestamp(seconds: Int64(from)), FlagTimestamp(seconds: Int64(until)))
    }
}

/// Waits for the end of a handshake, with or without a certificate.
private final class HandshakeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handler: NIOSSLClientHandler
    private let certificate: EventLoopPromise<NIOSSLCertificate?>

    init(_ handler: NIOSSLClientHandler, _ certificate: EventLoopPromise<NIOSSLCertificate?>) {
        (self.handler, self.certificate) = (handler, certificate)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { certificate.succeed(handler.peerCertificate) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        certificate.succeed(nil)
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { certificate.succeed(nil) }
}
#endif
