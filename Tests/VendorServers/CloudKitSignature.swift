#if Network
import Crypto
public import FlagModel
import FlagRemote
public import FlagTesting

/// The three headers that sign a request to CloudKit, and the signed message. Written from Apple's documentation only,
/// independent of the code under test.
public struct CloudKitSignature: Sendable {
    /// The allowed clock difference, in seconds. Apple does not document it; 10 minutes were found by experiments.
    private static let window: Int64 = 600

    private let id: String
    private let date: String
    private let signature: String
    private let path: String
    private let body: [UInt8]

    /// Reads the signature of a request; `nil` if a header is missing.
    public init?(_ request: LoopbackRequest) {
        guard let id = request.headers["X-Apple-CloudKit-Request-KeyID"],
            let date = request.headers["X-Apple-CloudKit-Request-ISO8601Date"],
            let signature = request.headers["X-Apple-CloudKit-Request-SignatureV1"]
        else { return nil }
        self.init(id: id, date: date, signature: signature, path: request.path, body: request.body)
    }

    /// Creates a signature from its parts.
    public init(id: String, date: String, signature: String, path: String, body: [UInt8]) {
        self.id = id
        self.date = date
        self.signature = signature
        self.path = path
        self.body = body
    }

    /// The signed message.
    public var message: String { "\(date):\(Base64Text.text(SHA256.hash(data: body))):\(path)" }

    /// The reason why the signature is invalid; `nil` if it is valid.
    ///
    /// - Parameters:
    ///   - id: the id of the known key.
    ///   - publicKey: the public half of that key, in PEM.
    ///   - now: the time that the signature's date is compared with.
    public func rejection(id: String, publicKey: String, now: FlagTimestamp) -> String? {
        guard self.id == id else { return "no such key" }
        // Only the form 2016-01-25T22:15:43Z: Apple does not accept fractions of a second or an offset.
        guard date.utf8.count == 20, date.hasSuffix("Z"), let moment = FlagTimestamp(rfc3339: date) else {
            return "the date is not spelled as YYYY-MM-DDThh:mm:ssZ"
        }
        guard abs(moment.seconds - now.seconds) <= Self.window else { return "the date is more than 10 minutes off" }
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicKey) else {
            return "the key is no P-256 key"
        }
        guard let bytes = Base64Text.bytes(signature),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        else { return "the signature is no base64 of DER" }
        return key.isValidSignature(signature, for: Array(message.utf8))
            ? nil : "the signature is not by that key for this request"
    }
}
#endif
