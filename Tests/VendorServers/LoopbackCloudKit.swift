#if Network
import Crypto
public import FlagModel
public import FlagRemote
public import FlagTesting
import Synchronization

/// The CloudKit web services on 127.0.0.1 that reading flags needs: queries of one public database, page by page, with
/// CloudKit's credentials. Tests can inject error responses, see ``failure(_:status:reason:retryAfter:)``.
public final class LoopbackCloudKit: Sendable {
    /// One record.
    public struct Record: Sendable {
        let name: String
        let fields: String
        let isDeleted: Bool

        /// A record with any fields.
        ///
        /// - Parameter fields: a JSON object of fields, each with `value` and `type`.
        public init(_ name: String, fields: String, isDeleted: Bool = false) {
            (self.name, self.fields, self.isDeleted) = (name, fields, isDeleted)
        }

        /// A record of a flag, named `record-` and the flag.
        public init(_ flag: String, isActive: Bool) {
            let fields: JSONOutput = [
                "featureName": ["value": .string(flag), "type": "STRING"],
                "isActive": ["value": .integer(isActive ? 1 : 0), "type": "INT64"],
            ]
            self.init("record-\(flag)", fields: fields.line)
        }

        /// The record as a response has it.
        ///
        /// - Parameter keys: the names of the wanted fields; `nil` for all.
        fileprivate func json(_ keys: [String]?) -> JSONOutput {
            let all = JSONValue.parsed(fields.utf8).map { Array($0.members) } ?? []
            let wanted = all.filter { keys?.contains($0.key.string) ?? true }
            return [
                "recordName": .string(name), "recordType": "FeatureStatus",
                "fields": .object(wanted.map { ($0.key.string, .raw($0.value.source)) }),
                "modified": ["timestamp": 1_700_000_001_000, "userRecordName": "_hushuser"],
                "deleted": .bool(isDeleted),
            ]
        }
    }

    /// The credential that requests need.
    public enum Access: Sendable {
        /// A token in the query.
        case apiToken(String)
        /// A signature by the key with this id; the public key is in PEM.
        case serverKey(id: String, publicKey: String)
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    /// The served container; requests for other containers fail with an error.
    public let container: String
    private let environment: String
    private let access: Access
    private let pageSize: Int
    private let now: @Sendable () -> FlagTimestamp
    private let records: Mutex<[Record]>

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - records: the records of the database, in this order.
    ///   - access: the credential that requests need.
    ///   - container: the served container.
    ///   - environment: the container's environment with the records.
    ///   - pageSize: the maximum number of records in a response; 200 in CloudKit.
    ///   - now: the time that dates of signatures are compared with.
    public init(
        _ records: [Record], access: Access, container: String = "iCloud.com.example.shop",
        environment: String = "production", pageSize: Int = 200,
        now: @escaping @Sendable () -> FlagTimestamp = SourceClock.system.now
    ) async throws {
        (self.container, self.environment, self.access) = (container, environment, access)
        (self.pageSize, self.now) = (pageSize, now)
        self.records = Mutex(records)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings.
    public var url: String { server.url }

    /// Replaces the records of the database.
    public func set(_ records: [Record]) { self.records.withLock { $0 = records } }

    /// An error response in CloudKit's format.
    ///
    /// - Parameter retryAfter: the requested wait in seconds; `nil` for none.
    public static func failure(
        _ code: String, status: Int, reason: String? = nil, retryAfter: Int? = nil
    ) -> LoopbackReply {
        let signIn = code == "AUTHENTICATION_REQUIRED" ? "https://idmsa.apple.com/sign-in?token=signinsecret" : nil
        return .document(
            [
                "uuid": "2A3B4C5D-0000-4000-8000-000000000001", "serverErrorCode": .string(code),
                "reason": reason.map { .string($0) }, "retryAfter": retryAfter.map { .integer($0) },
                "redirectURL": signIn.map { .string($0) },
            ], status: status)
    }
}

// The responses to requests, as the service sends them.
extension LoopbackCloudKit {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let path = "/database/1/\(container)/\(environment)/public/records/query"
        guard request.path == path, request.method == "POST" else {
            return Self.failure("NOT_FOUND", status: 404, reason: "no such operation of this container")
        }
        if let reason = rejection(to: request) {
            return Self.failure("AUTHENTICATION_FAILED", status: 401, reason: reason)
        }
        return page(of: records.withLock { $0 }, for: request.json)
            ?? Self.failure("BAD_REQUEST", status: 400, reason: "no query of this type, or not with this marker")
    }

    /// The records from the marker of a query on; `nil` if the marker belongs to another query.
    private func page(of records: [Record], for body: JSONValue?) -> LoopbackReply? {
        guard let body, let query = body["query"], query["recordType"]?.text == "FeatureStatus" else { return nil }
        func marker(_ start: Int) -> String { "\(start) \(StableHash.text(query.source))" }
        let wanted = body["continuationMarker"]?.text?.string
        guard let start = (0...records.count).first(where: { wanted == nil || wanted == marker($0) }) else {
            return nil
        }
        let limit = body["resultsLimit"].flatMap { Int($0.source) } ?? pageSize
        let end = min(records.count, start + min(limit, pageSize))
        let keys = body["desiredKeys"].map { $0.elements.compactMap { $0.text?.string } }
        return .document([
            "records": .array(records[start..<end].map { $0.json(keys) }),
            "continuationMarker": end < records.count ? .string(marker(end)) : nil,
        ])
    }

    /// The reason why the credential is rejected; `nil` if it is valid.
    private func rejection(to request: LoopbackRequest) -> String? {
        switch access {
        case .apiToken(let token): request.query("ckAPIToken") == token ? nil : "no such API token"
        case .serverKey(let id, let publicKey):
            Self.rejection(ofSignatureIn: request, id: id, publicKey: publicKey, now: now())
        }
    }
}

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
