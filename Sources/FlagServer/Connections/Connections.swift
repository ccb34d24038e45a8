#if Server
import FlagModel
import FlagStorage
import NIOCore
import NIOHTTPTypes
import NIOSSL
import Platform

/// The limit on the number of files that the process may open. Each connection is one.
enum OpenFiles {
    /// Files for everything except connections: the store, its watches, the sources, and the runtime.
    private static let others = 100
    /// More than this helps nobody, and some systems have no limit.
    private static let enough: rlim_t = 10_000

    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: how many connections may be open. Without a free file, a process cannot even report an error.
    static func limitConnections(to wanted: Int) -> Int {
        var limits = rlimit()
        #if canImport(Darwin)
        let files = RLIMIT_NOFILE
        #else
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(files, &limits) == 0 else { return wanted }
        var raised = limits
        raised.rlim_cur = max(limits.rlim_cur, min(enough, limits.rlim_max))
        if setrlimit(files, &raised) == 0 { limits = raised }
        return max(1, min(wanted, Int(min(limits.rlim_cur, enough)) - others))
    }
}

/// Closes a connection whose client takes too long to send the body of a request, even if bytes keep coming. The idle
/// limit of the server closes those that take too long to send a head.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: TimeAmount
    private var closing: Scheduled<Void>?

    init(_ limit: Duration) { self.limit = TimeAmount(limit) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { channel.close(promise: nil) }
        case .body: break
        case .end: closing?.cancel()
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }
}

extension TLSConfiguration {
    /// The settings for TLS of a server whose certificate and key are in PEM files.
    ///
    /// - Throws: which file cannot be used, and why.
    static func server(chainPath: String, keyPath: String) throws -> TLSConfiguration {
        let (chainBytes, keyBytes) = (try bytes(of: chainPath), try bytes(of: keyPath))
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(chainBytes), !chain.isEmpty else {
            throw InvalidText(sentence: "\(chainPath) has no certificates in PEM format.")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw InvalidText(sentence: "\(keyPath) has no private key in PEM format, or the key needs a passphrase.")
        }
        var configuration = makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // Also checks that both belong together.
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw InvalidText(
                sentence: "The key \(keyPath) does not belong to the first certificate in \(chainPath).")
        } catch {
            throw InvalidText(
                sentence: "The certificate \(chainPath) with the key \(keyPath) cannot be used: \(error).")
        }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard let bytes = try DurableFile.read(path) else { throw InvalidText(sentence: "There is no file \(path).") }
        return bytes
    }
}
#endif
