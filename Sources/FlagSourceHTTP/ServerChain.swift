#if Network
import FlagRemote
import NIOSSL

/// The certificate chain of a server whose files the client can read, such as `flagmenu serve` of the same user.
struct ServerChain {
    /// The size limit of the file, in bytes. A chain has a few thousand.
    private static let sizeLimit = 1 << 20

    /// The server's certificate, followed by those of its authorities.
    let certificates: [NIOSSLCertificate]

    /// Reads a PEM file.
    init(path: String) throws(SourceError) {
        let bytes = try SourceFileBytes(path: path, limit: Self.sizeLimit).bytes
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw SourceError(
                code: .rejected, path: path, sentence: "the file has no certificates in PEM format; correct it")
        }
        self.certificates = certificates
    }

    /// Whether the server's certificate is signed with its own key.
    var isSelfSigned: Bool { certificates[0].isSelfSigned }

    /// Lets clients trust the server. They also check that the certificate is for the host.
    func trust(in tls: inout TLSConfiguration) {
        if isSelfSigned {
            // No authority vouches for it, so none may replace it.
            tls.trustRoots = .certificates([certificates[0]])
        } else {
            tls.additionalTrustRoots = [.certificates(certificates)]
        }
    }
}

extension NIOSSLCertificate {
    /// Whether the certificate names itself as its authority. `NIOSSL` has no access to these names.
    fileprivate var isSelfSigned: Bool {
        guard let bytes = try? toDERBytes(), let names = CertificateNames(der: bytes) else { return false }
        return names.issuer == names.subject
    }
}

/// The names in a certificate (RFC 5280, section 4.1), in DER.
private struct CertificateNames {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    /// - Returns: `nil` if the bytes are not a certificate.
    init?(der bytes: [UInt8]) {
        var file = bytes[...]
        guard var certificate = Self.takeElement(from: &file)?.content,
            var fields = Self.takeElement(from: &certificate)?.content
        else { return nil }
        var elements: [ArraySlice<UInt8>] = []
        while let element = Self.takeElement(from: &fields) {
            // The version, which may be missing, has the tag [0].
            if element.tag != 0xA0 { elements.append(element.content) }
        }
        // Serial number, signature, issuer, validity, subject.
        guard elements.count > 4 else { return nil }
        (issuer, subject) = (elements[2], elements[4])
    }

    /// Takes the first element of a sequence; `nil` if there is none. In certificates, a tag is one byte.
    private static func takeElement(from bytes: inout ArraySlice<UInt8>) -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = bytes.popFirst(), var length = bytes.popFirst().map(Int.init) else { return nil }
        if length > 0x80 {
            let size = length - 0x80
            guard size <= 4, bytes.count >= size else { return nil }
            length = bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(size)
        }
        guard bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return (tag, bytes.prefix(length))
    }
}
#endif
