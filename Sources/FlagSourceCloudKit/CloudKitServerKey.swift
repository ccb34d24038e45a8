public import FlagModel
public import FlagRemote

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
    private let key: CloudKitSigningKey

    /// A key from the content of a PEM file, as OpenSSL writes it: `EC PRIVATE KEY` or `PRIVATE KEY`.
    ///
    /// - Parameters:
    ///   - id: the id from the console.
    ///   - pem: the content of the file.
    ///   - path: the file's path in errors.
    /// - Throws: why the content is not a key.
    public init(id: Secret, pem: String, path: String = "private key") throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(code: .malformed, path: path, sentence: sentence)
        }
        guard !id.isEmpty else {
            throw failure("the key has no id; the CloudKit Console shows it beside the public key")
        }
        guard let block = PEMBlock(labelEnding: "PRIVATE KEY", in: pem) else {
            throw failure(
                "this file has no PEM private key; make one with: openssl ecparam -name prime256v1 -genkey -noout")
        }
        guard !block.isEncrypted else {
            throw failure(
                "the private key has a passphrase, which is not supported; write it without one: "
                    + "openssl ec -in WITH.pem -out WITHOUT.pem")
        }
        // If the block is not base64, the initializer throws.
        key = try CloudKitSigningKey(der: block.bytes ?? [], path: path)
        self.id = id
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
        guard let signature = key.signature(of: message) else {
            throw SourceError(
                code: .unreadable, path: request.source,
                sentence: "the request could not be signed; check that the private key file is complete")
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
        "\(date):\(Base64Text.text(CloudKitSigningKey.hash(body))):\(path)"
    }
}

extension CloudKitServerKey: Hashable {
    /// Compares the id and the key.
    public static func == (left: CloudKitServerKey, right: CloudKitServerKey) -> Bool {
        left.id == right.id && left.key.point == right.key.point
    }

    /// Hashes the id and the public half.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(key.point)
    }
}

extension CloudKitServerKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without any part of the key.
    public var description: String { "CloudKit key \(Secret.mask)" }
    /// The description.
    public var debugDescription: String { description }
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["key": description]) }
}

/// A block of a PEM file (RFC 7468). OpenSSL may write two: the curve's parameters, then the key.
struct PEMBlock {
    private let lines: [String]

    /// The first block whose label ends with a text; `nil` if there is none, or the block's last line is missing.
    init?(labelEnding label: String, in text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { $0 != " " && $0 != "\t" } }
        let lineEnd = label.filter { $0 != " " } + "-----"
        func isBorder(_ line: String, _ word: String) -> Bool {
            line.hasPrefix("-----\(word)") && line.hasSuffix(lineEnd)
        }
        guard let start = lines.firstIndex(where: { isBorder($0, "BEGIN") }),
            let end = lines[start...].firstIndex(where: { isBorder($0, "END") })
        else { return nil }
        self.lines = Array(lines[start..<end])
    }

    /// Whether the key is encrypted with a passphrase, in the format PKCS #8 or the older format of OpenSSL.
    var isEncrypted: Bool {
        lines.contains { $0.hasPrefix("-----BEGINENCRYPTED") || $0.hasPrefix("Proc-Type:4,ENCRYPTED") }
    }

    /// The decoded content; `nil` if it is not base64.
    var bytes: [UInt8]? { Base64Text.bytes(lines.dropFirst().joined()) }
}
