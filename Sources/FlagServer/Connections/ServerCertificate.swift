#if Server
import FlagStorage
import NIOSSL

extension TLSConfiguration {
    /// The settings for TLS of a server whose certificate and key are in PEM files.
    ///
    /// - Throws: which file cannot be used, and why.
    static func server(chainPath: String, keyPath: String) throws(FlagServer.Failure) -> TLSConfiguration {
        let (chainBytes, keyBytes) = (try Self.bytes(of: chainPath), try Self.bytes(of: keyPath))
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(chainBytes), !chain.isEmpty else {
            throw Self.failure("\(chainPath) has no certificates in PEM format.")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw Self.failure("\(keyPath) has no private key in PEM format, or the key needs a passphrase.")
        }
        var configuration = makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // Also checks that both belong together.
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw Self.failure("The key \(keyPath) does not belong to the first certificate in \(chainPath).")
        } catch {
            throw Self.failure("The certificate \(chainPath) with the key \(keyPath) cannot be used: \(error).")
        }
    }

    private static func bytes(of path: String) throws(FlagServer.Failure) -> [UInt8] {
        do throws(StorageError) {
            if let bytes = try DurableFile.read(path) { return bytes }
        } catch {
            throw failure("\(error)")
        }
        throw failure("There is no file \(path).")
    }

    private static func failure(_ sentence: String) -> FlagServer.Failure {
        FlagServer.Failure(description: "\(sentence) The server did not start.")
    }
}
#endif
