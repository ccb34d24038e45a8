#if Network
import FlagRemote
import NIOSSL

extension NIOSSLCertificate {
    /// The certificates in a PEM file.
    ///
    /// - Throws: why there are none.
    static func inFile(_ path: String) throws(SourceError) -> [NIOSSLCertificate] {
        // Mozilla's bundle of authorities has about 220,000 bytes.
        let bytes = try SourceFileBytes(path: path, limit: 16 << 20).bytes
        guard let certificates = try? fromPEMBytes(bytes), !certificates.isEmpty else {
            throw SourceError(code: .rejected, path: path, sentence: "it has no certificates in PEM format")
        }
        return certificates
    }
}

extension TransportSettings {
    /// The certificate authorities in a PEM file, which replace those of the system.
    ///
    /// - Throws: why there are none.
    static func authorities(in path: String) throws(TransportWarning) -> [NIOSSLCertificate] {
        do throws(SourceError) {
            return try NIOSSLCertificate.inFile(path)
        } catch {
            let variable = Self.authoritiesVariable
            let reason = error.code == .missing ? "there is no such file" : error.sentence
            throw TransportWarning(
                variable: variable,
                sentence:
                    "\(variable) names \(path) as the file of trusted authorities, but \(reason); correct it, or unset it "
                    + "for the authorities of the system")
        }
    }
}
#endif
