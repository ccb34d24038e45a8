import FlagRemote

#if Network
import Crypto
import CryptoExtras
#endif

/// The private key of a service account: RSA, for signatures as RS256 (RFC 7518, section 3.3).
struct SigningKey: Sendable {
    /// Signs a text; `nil` if signing fails.
    let signature: @Sendable (_ text: String) -> [UInt8]?

    /// Parses a key in PEM.
    ///
    /// - Throws: why the key is not valid; the error contains no part of the key.
    init(pem: String, path: String) throws(SourceError) {
        #if Network
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw SourceError(
                code: .malformed, path: path,
                sentence: "its \"private_key\" is not a PEM RSA key of 2048 bits or more; download the file again")
        }
        signature = { text in
            let signature = try? key.signature(for: SHA256.hash(data: Array(text.utf8)), padding: .insecurePKCS1v1_5)
            return signature.map { Array($0.rawRepresentation) }
        }
        #else
        throw .notCompiledIn(path)
        #endif
    }
}
