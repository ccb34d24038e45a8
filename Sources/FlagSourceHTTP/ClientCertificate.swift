#if Network
import FlagRemote
import NIOSSL

extension TransportSettings.ClientCertificate {
    /// Reads both files.
    ///
    /// - Throws: why a file cannot be used, without its content.
    func read() throws(SourceError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        do throws(SourceError) {
            let chain = try NIOSSLCertificate.inFile(path)
            let bytes = try SourceFileBytes(path: keyPath, limit: 1 << 20).bytes
            guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
                throw SourceError(code: .rejected, path: keyPath, sentence: "it is not in PEM format, or encrypted")
            }
            return (chain, key)
        } catch {
            let subject = error.path == path ? "client certificate" : "key of the client certificate"
            throw SourceError(
                code: .rejected, path: error.path,
                sentence: "the \(subject) cannot be read: \(error.sentence); correct the file")
        }
    }
}
#endif
