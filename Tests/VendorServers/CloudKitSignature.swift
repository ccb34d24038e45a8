import Crypto
public import FlagModel
import FlagRemote
public import FlagTesting

/// The three headers that sign a request to CloudKit, and what they sign. Written from Apple's page alone, without a look at
/// whoever signs.
public struct CloudKitSignature: Sendable {
    /// How far a date may be off, in seconds. Apple's pages do not say; ten minutes is what those who tried have found.
    private static let window: Int64 = 600

    private let id: String
    private let date: String
    private let signature: String
    private let path: String
    private let body: [UInt8]

    /// The signature of a request; `nil` where one of the headers is missing.
    public init?(_ request: LoopbackRequest) {
        guard let id = request.headers["X-Apple-CloudKit-Request-KeyID"],
            let date = request.headers["X-Apple-CloudKit-Request-ISO8601Date"],
            let signature = request.headers["X-Apple-CloudKit-Request-SignatureV1"]
        else { return nil }
        self.init(id: id, date: date, signature: signature, path: request.path, body: request.body)
    }

    /// A signature of its parts.
    public init(id: String, date: String, signature: String, path: String, body: [UInt8]) {
        self.id = id
        self.date = date
        self.signature = signature
        self.path = path
        self.body = body
    }

    /// What is signed.
    public var message: String { "\(date):\(Base64Text.text(SHA256.hash(data: body))):\(path)" }

    /// Why it does not count; `nil` where it does.
    ///
    /// - Parameters:
    ///   - id: the id of the key that is known.
    ///   - publicKey: that key's public half, in PEM.
    ///   - now: the moment that the date is held against.
    public func rejection(id: String, publicKey: String, now: Timestamp) -> String? {
        guard self.id == id else { return "no such key" }
        // 2016-01-25T22:15:43Z: a fraction of a second or an offset would be another text than the one that Apple reads.
        guard date.utf8.count == 20, date.hasSuffix("Z"), let moment = Timestamp(rfc3339: date) else {
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
