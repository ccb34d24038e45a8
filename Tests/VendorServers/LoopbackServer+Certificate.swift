#if Network
public import FlagTesting
import NIOSSL

extension LoopbackServer {
    /// Starts to listen for `https` on a free port.
    ///
    /// - Parameters:
    ///   - certificate: the paths of PEM files with a certificate and its key.
    ///   - respond: returns the reply to a request.
    public convenience init(
        certificate: (path: String, keyPath: String),
        respond: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply
    ) async throws {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate.path).map(NIOSSLCertificateSource.certificate)
        let key = try NIOSSLPrivateKey(file: certificate.keyPath, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        try await self.init(tls: try NIOSSLContext(configuration: configuration), respond: respond)
    }
}
#endif
