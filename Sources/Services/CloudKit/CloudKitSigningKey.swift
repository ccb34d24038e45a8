import FlagRemote

#if Network
import Crypto
#endif

/// The private half of a server-to-server key: an elliptic curve key of P-256.
struct CloudKitSigningKey {
    #if Network
    private let key: P256.Signing.PrivateKey

    /// Parses a key in PEM.
    ///
    /// - Throws: an error if the text is not a P-256 key.
    init(pem: String, path: String) throws(SourceError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw SourceError(
                code: .malformed, path: path,
                sentence: "the private key is not on the curve prime256v1 (P-256), which CloudKit requires")
        }
        self.key = key
    }

    /// The signature of a text in DER; `nil` if it cannot be signed.
    func signature(of text: String) -> [UInt8]? {
        (try? key.signature(for: Array(text.utf8))).map { Array($0.derRepresentation) }
    }

    /// The SHA-256 hash of bytes.
    static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
    #else
    init(pem: String, path: String) throws(SourceError) { throw .notCompiledIn(path) }

    func signature(of text: String) -> [UInt8]? { nil }

    // Never called, as there are no keys without the trait `Network`.
    static func hash(_ bytes: [UInt8]) -> [UInt8] { [] }
    #endif
}
