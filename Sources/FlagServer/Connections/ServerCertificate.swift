#if Server
import FlagModel
import FlagStorage
import NIOSSL

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
