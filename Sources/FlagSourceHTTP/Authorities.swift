#if Network
import FlagRemote
import NIOSSL

/// Certificate authorities that replace those of the system.
enum Authorities {
    /// The size limit of a file, in bytes. Mozilla's bundle has about 220,000.
    private static let sizeLimit = 16 << 20

    /// Reads a PEM file.
    ///
    /// - Throws: why the file contains no certificates.
    static func certificates(in path: String) throws(TransportWarning) -> [NIOSSLCertificate] {
        func warning(_ reason: String) -> TransportWarning {
            let variable = TransportSettings.authoritiesVariable
            return TransportWarning(
                variable: variable,
                sentence:
                    "\(variable) names \(path) as the file of trusted authorities, but \(reason); correct it, or unset it "
                    + "for the authorities of the system")
        }
        let bytes: [UInt8]
        do throws(SourceError) {
            bytes = try SourceFileBytes(path: path, limit: sizeLimit).bytes
        } catch {
            throw warning(error.code == .missing ? "there is no such file" : error.sentence)
        }
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw warning("it has no certificates in PEM format")
        }
        return certificates
    }
}
#endif
