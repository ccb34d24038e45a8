#if Network
import FlagRemote
import NIOSSL

extension TransportSettings.ClientCertificate {
    /// Reads both files.
    ///
    /// - Throws: why a file cannot be used, without its content.
    func read() throws(SourceError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        let chain: [NIOSSLCertificate]
        do throws(SourceError) {
            chain = try NIOSSLCertificate.inFile(path)
        } catch {
            throw Self.error(path, "the client certificate cannot be read: \(error.sentence); correct the file")
        }
        let bytes: [UInt8]
        do throws(SourceError) {
            bytes = try SourceFileBytes(path: keyPath, limit: 1 << 20).bytes
        } catch {
            throw Self.error(keyPath, "the key of the client certificate cannot be read: \(error.sentence)")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw Self.error(
                keyPath, "the key of the client certificate is not in PEM format, or encrypted; correct it")
        }
        return (chain, key)
    }

    private static func error(_ path: String, _ sentence: String) -> SourceError {
        SourceError(code: .rejected, path: path, sentence: sentence)
    }
}
#endif
