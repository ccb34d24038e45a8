#if Network
import FlagRemote
import NIOSSL

extension TransportSettings.ClientCertificate {
    /// The size limit of each file, in bytes. A chain of certificates has a few thousand.
    private static let sizeLimit = 1 << 20

    /// Reads both files.
    ///
    /// - Throws: why a file cannot be used, without its content.
    func read() throws(SourceError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let chain = try bytes(of: path, "the client certificate")
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(chain), !certificates.isEmpty else {
            throw Self.error(path, "the client certificate has no certificate in PEM format; correct the file")
        }
        let keyBytes = try bytes(of: keyPath, "the key of the client certificate")
        guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw Self.error(
                keyPath, "the key of the client certificate is not in PEM format, or encrypted; correct it")
        }
        return (certificates, key)
    }

    private func bytes(of path: String, _ what: String) throws(SourceError) -> [UInt8] {
        do throws(SourceError) {
            return try SourceFileBytes(path: path, limit: Self.sizeLimit).bytes
        } catch {
            throw Self.error(path, "\(what) cannot be read: \(error.sentence)")
        }
    }

    private static func error(_ path: String, _ sentence: String) -> SourceError {
        SourceError(code: .rejected, path: path, sentence: sentence)
    }
}
#endif
