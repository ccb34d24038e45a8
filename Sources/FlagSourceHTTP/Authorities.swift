#if Network
import FlagRemote
import NIOSSL

/// Certificate authorities of one's own, in place of the system's.
enum Authorities {
    /// The longest file that is read, in bytes; Mozilla's bundle has about 220,000.
    private static let sizeLimit = 16 << 20

    /// Reads a PEM file.
    ///
    /// - Throws: why it contains no certificates.
    static func certificates(in path: String) throws(TransportObjection) -> [NIOSSLCertificate] {
        func objection(_ reason: String) -> TransportObjection {
            let variable = TransportSettings.authoritiesVariable
            return TransportObjection(
                variable: variable,
                sentence:
                    "\(variable) names \(path) as the file of trusted authorities, but \(reason); correct it, or unset it "
                    + "for the authorities of the system")
        }
        let bytes: [UInt8]
        do throws(SourceError) {
            bytes = try SourceFileBytes(path: path, limit: sizeLimit).bytes
        } catch {
            throw objection(error.code == .missing ? "there is no such file" : error.sentence)
        }
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw objection("it has no certificates in PEM format")
        }
        return certificates
    }
}
#endif
