#if Network
import Crypto
public import FlagModel
import FlagRemote
public import FlagTesting

extension LoopbackCloudKit {
    /// The reason why the three headers that sign a request are invalid; `nil` if they are valid. Written from Apple's
    /// documentation only, independent of the code under test.
    ///
    /// - Parameters:
    ///   - id: the id of the known key.
    ///   - publicKey: the public half of that key, in PEM.
    ///   - now: the time that the signature's date is compared with.
    public static func rejection(
        ofSignatureIn request: LoopbackRequest, id: String, publicKey: String, now: FlagTimestamp
    ) -> String? {
        func header(_ name: String) -> String { request.headers["X-Apple-CloudKit-Request-\(name)"] ?? "" }
        let date = header("ISO8601Date")
        guard request.query == nil else { return "an API token and a signature do not go together" }
        guard header("KeyID") == id else { return "no such key" }
        // Only the form 2016-01-25T22:15:43Z: Apple does not accept fractions of a second or an offset.
        guard date.utf8.count == 20, date.hasSuffix("Z"), let moment = FlagTimestamp(rfc3339: date) else {
            return "the date is not spelled as YYYY-MM-DDThh:mm:ssZ"
        }
        // Apple does not document the allowed clock difference; 10 minutes were found by experiments.
        guard abs(moment.seconds - now.seconds) <= 600 else { return "the date is more than 10 minutes off" }
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicKey) else {
            return "the key is no P-256 key"
        }
        guard let bytes = Base64Text.bytes(header("SignatureV1")),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        else { return "the signature is no base64 of DER" }
        let message = "\(date):\(Base64Text.text(SHA256.hash(data: request.body))):\(request.path)"
        return key.isValidSignature(signature, for: Array(message.utf8))
            ? nil : "the signature is not by that key for this request"
    }
}
#endif
