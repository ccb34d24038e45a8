#if Network
public import FlagModel
public import FlagRemote
public import FlagTesting
import Synchronization

/// The CloudKit web services on 127.0.0.1 that reading flags needs: queries of one public database, page by page, with
/// CloudKit's credentials. Tests can inject error responses, see ``failure(_:status:reason:retryAfter:)``.
public final class LoopbackCloudKit: Sendable {
    /// One record.
    public struct Record: Sendable {
        /// The record name.
        public var name: String
        /// The fields as a JSON object, each with `value` and `type`.
        public var fields: String
        /// The time of the last change, in milliseconds since 1970.
        public var modified: Int64
        /// Whether the record is deleted.
        public var isDeleted: Bool

        /// A record with any fields.
        public init(_ name: String, fields: String, modified: Int64 = 1_700_000_001_000, isDeleted: Bool = false) {
            self.name = name
            self.fields = fields
            self.modified = modified
            self.isDeleted = isDeleted
        }

        /// A record of a flag, named `record-` and the flag.
        public init(_ flag: String, isActive: Bool) {
            let fields: JSONOutput = [
                "featureName": ["value": .string(flag), "type": "STRING"],
                "isActive": ["value": .integer(isActive ? 1 : 0), "type": "INT64"],
            ]
            self.init("record-\(flag)", fields: fields.line)
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
    private let recordType = "FeatureStatus"
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
        (self.container, self.environment) = (container, environment)
        self.access = access
        self.pageSize = pageSize
        self.now = now
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
        let failure: JSONOutput = [
            "uuid": "2A3B4C5D-0000-4000-8000-000000000001", "serverErrorCode": .string(code),
        ]
        let signIn: JSONOutput = ["redirectURL": "https://idmsa.apple.com/sign-in?token=signinsecret"]
        return .document(
            failure.adding(reason.map { ["reason": .string($0)] })
                .adding(retryAfter.map { ["retryAfter": .integer($0)] })
                .adding(code == "AUTHENTICATION_REQUIRED" ? signIn : nil), status: status)
    }
}

// The responses to requests, as the service sends them.
extension LoopbackCloudKit {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let path = "/database/1/\(container)/\(environment)/public/records/query"
        guard request.path == path else {
            return Self.failure("NOT_FOUND", status: 404, reason: "no such operation of this container")
        }
        guard request.method == "POST" else {
            return Self.failure("BAD_REQUEST", status: 400, reason: "a query is a POST")
        }
        if let reason = rejection(to: request) {
            return Self.failure("AUTHENTICATION_FAILED", status: 401, reason: reason)
        }
        guard let root = request.json, let query = CloudKitQuery(root) else {
            return Self.failure("BAD_REQUEST", status: 400, reason: "the body is no query that this server knows")
        }
        guard query.recordType == recordType else {
            return Self.failure("NOT_FOUND", status: 404, reason: "did not find record type: \(query.recordType)")
        }
        guard let page = query.page(of: records.withLock { $0 }, recordType: recordType, limit: pageSize) else {
            return Self.failure("BAD_REQUEST", status: 400, reason: "the continuation marker belongs to another query")
        }
        return .document(page)
    }

    /// The reason why the credential is rejected; `nil` if it is valid.
    private func rejection(to request: LoopbackRequest) -> String? {
        let signature = CloudKitSignature(request)
        switch access {
        case .apiToken(let token):
            if signature != nil { return "an API token and a signature do not go together" }
            return request.query("ckAPIToken") == token ? nil : "no such API token"
        case .serverKey(let id, let publicKey):
            guard request.query == nil else { return "an API token and a signature do not go together" }
            guard let signature else { return "the request is not signed" }
            return signature.rejection(id: id, publicKey: publicKey, now: now())
        }
    }
}
#endif
