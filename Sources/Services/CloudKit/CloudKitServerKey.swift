public import FlagModel
public import FlagRemote

#if Network
import Crypto
#endif

/// A server-to-server key: an elliptic curve key whose public half is registered in the CloudKit Console under an id.
///
/// ```sh
/// openssl ecparam -name prime256v1 -genkey -noout -out eckey.pem   # the private key
/// openssl ec -in eckey.pem -pubout                                 # the public key, for the console
/// ```
public struct CloudKitServerKey: Sendable {
    /// The size limit of a key file, in bytes. A usual key file has 241.
    private static let sizeLimit = 64 << 10

    /// The id from the console.
    public let id: Secret
    /// The signature of a text in DER; `nil` if it cannot be signed.
    private let signature: @Sendable (_ text: String) -> [UInt8]?

    /// A key from the content of a PEM file, as OpenSSL writes it: `EC PRIVATE KEY` or `PRIVATE KEY`.
    ///
    /// - Parameters:
    ///   - id: the id from the console.
    ///   - pem: the content of the file.
    ///   - path: the file's path in errors.
    /// - Throws: why the content is not a key.
    public init(id: Secret, pem: String, path: String = "private key") throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(.malformed, of: path, sentence)
        }
        guard !id.isEmpty else {
            throw failure("the key has no id; the CloudKit Console shows it beside the public key")
        }
        guard !pem.contains("ENCRYPTED") else {
            throw failure(
                "the private key has a passphrase, which is not supported; write it without one: "
                    + "openssl ec -in WITH.pem -out WITHOUT.pem")
        }
        #if Network
        guard let block = Self.block(in: pem) else {
            throw failure(
                "this file has no PEM private key; make one with: openssl ecparam -name prime256v1 -genkey -noout")
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: block) else {
            throw failure("the private key is not on the curve prime256v1 (P-256), which CloudKit requires")
        }
        self.id = id
        signature = { text in (try? key.signature(for: Array(text.utf8))).map { Array($0.derRepresentation) } }
        #else
        throw .notCompiledIn(path)
        #endif
    }

    /// The block of the key in a PEM file (RFC 7468): OpenSSL may write others before it, such as the curve's parameters.
    private static func block(in pem: String) -> String? {
        ["EC PRIVATE KEY", "PRIVATE KEY"].lazy.compactMap { label in
            guard let start = pem.firstRange(of: "-----BEGIN \(label)-----"),
                let end = pem[start.upperBound...].firstRange(of: "-----END \(label)-----")
            else { return nil }
            return String(pem[start.lowerBound..<end.upperBound])
        }.first
    }

    /// A key from a PEM file.
    ///
    /// - Throws: why the file cannot be read, or why it does not contain a key.
    public init(id: Secret, path: String) throws(SourceError) {
        let file = try SourceFileBytes(path: path, limit: Self.sizeLimit)
        try self.init(id: id, pem: String(decoding: file.bytes, as: UTF8.self), path: path)
    }

    /// Signs a request, as described on the page "Composing Web Service Requests" of Apple's reference.
    ///
    /// - Parameters:
    ///   - request: the request with its final body.
    ///   - path: the path of the request, from `/database` on.
    ///   - now: the current time; CloudKit accepts a difference of about ten minutes.
    /// - Throws: an error if the request cannot be signed.
    public func sign(
        _ request: SourceRequest, path: String, now: FlagTimestamp
    ) throws(SourceError) -> SourceRequest {
        let date = now.rfc3339
        let message = Self.message(date: date, body: request.body, path: path)
        guard let signature = signature(message) else {
            throw SourceError(
                .unreadable, of: request.source,
                "the request could not be signed; check that the private key file is complete")
        }
        var signed = request
        signed.headers.set("X-Apple-CloudKit-Request-KeyID", secret: id)
        signed.headers["X-Apple-CloudKit-Request-ISO8601Date"] = date
        signed.headers.set(
            "X-Apple-CloudKit-Request-SignatureV1", secret: Secret(Base64Text.text(signature)))
        return signed
    }

    /// The text to sign: the date, the hash of the body and the path.
    public static func message(date: String, body: [UInt8], path: String) -> String {
        #if Network
        return "\(date):\(Base64Text.text(SHA256.hash(data: body))):\(path)"
        #else
        // Never called, as there are no keys without the trait `Network`.
        return ""
        #endif
    }
}
