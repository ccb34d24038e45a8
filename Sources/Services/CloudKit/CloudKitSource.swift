public import FlagModel
public import FlagRemote

/// Flags from the records of a CloudKit container's public database, one `FeatureStatus` record per flag, as in
/// CloudKitFeatureToggles.
///
/// ```swift
/// let key = try CloudKitServerKey(id: Secret(keyID), path: "eckey.pem")
/// let settings = try CloudKitSettings(container: "iCloud.com.example.shop", credentials: .serverKey(key))
/// let flags = FlagStore(app: "shop", sources: [CloudKitSource(settings, client: client)])
/// ```
///
/// CloudKit reports changes only by push, and only to apps signed by Apple. Therefore this source polls, and a change
/// shows after up to ``CloudKitSettings/pollInterval``. Each poll reads all records, as a query has no version.
public final class CloudKitSource: RemoteSource {
    /// The maximum number of pages that are read. They have 200,000 records, more than any database of flags.
    static let pageLimit = 1_000

    private let settings: CloudKitSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: CloudKitSettings, client: SourceClient) {
        self.settings = settings
        var client = client
        client.transport = CloudKitTransport(base: client.transport, settings: settings, clock: client.clock)
        self.client = client
    }

    /// The database, and a short hash of the settings that affect the values. Credentials do not affect them.
    public var identity: SourceIdentity {
        let texts = [settings.nameField, settings.activeField, settings.keyPrefix, settings.baseURL.text]
        let container = "\(settings.container)/\(settings.environment.rawValue)/\(settings.recordType)"
        return "cloudkit:\(container)#\(StableHash.text(texts.joined(separator: "\n")))"
    }

    /// The container.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all records, page by page. If one page fails, the whole fetch fails: an incomplete list of flags would look
    /// complete.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let client = client.reporting(to: progress)
        var records: [String] = []
        var markers: Set<String> = []
        var (size, marker) = (0, String?.none)
        repeat {
            let response = try await client.send(settings.request(continuing: marker))
            // The request named no version, so 304 is an error.
            _ = try FetchResult(response, since: nil, of: name)
            let page = try SourceError.reading(name, value: try CloudKitPage(parsing: response.body, settings))
            records += page.records
            size += response.body.count
            marker = page.marker
            if let marker, !markers.insert(marker).inserted {
                throw SourceError(.malformed, of: name, "CloudKit's pages repeat; retry later")
            }
            guard size <= client.limits.bodySize, markers.count < Self.pageLimit else {
                throw SourceError(
                    .tooLarge, of: name,
                    "CloudKit sends more than \(client.limits.bodySize) bytes or \(Self.pageLimit) pages; give "
                        + "flags a record type of their own")
            }
        } while marker != nil
        return .values(Array("{\"records\":[\(records.joined(separator: ","))]}".utf8), version: nil)
    }

    /// Decodes records; see ``CloudKitFlags``.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try CloudKitFlags.document(bytes, settings)
    }
}

extension CloudKitSettings {
    /// The maximum number of records in one CloudKit response.
    static let pageSize = 200

    /// The source's name in messages.
    var name: String { "cloudkit:\(container)" }

    /// The path of a query, which is part of the signature of a server-to-server key.
    public var queryPath: String { "/database/1/\(container)/\(environment.rawValue)/public/records/query" }

    /// The unsigned request for a page of flag records, with only the two fields of a flag.
    ///
    /// The query has no sort order, as sorting needs an index that most containers do not have. A query for all records
    /// needs only an index on `recordName`, which the console creates with the record type's first query.
    ///
    /// - Parameter marker: ``CloudKitPage/marker`` of the previous page; `nil` for the first page.
    public func request(continuing marker: String? = nil) -> SourceRequest {
        var members: [(String, JSONOutput)] = [
            ("query", .object([("recordType", .string(recordType))])), ("resultsLimit", .integer(Self.pageSize)),
            ("desiredKeys", .array([.string(nameField), .string(activeField)])),
        ]
        if let marker { members.append(("continuationMarker", .string(marker))) }
        var url = baseURL.adding(path: queryPath)
        if case .apiToken(let token) = credentials { url = url.adding(query: "ckAPIToken", token.reveal()) }
        return SourceRequest(json: name, url: url, body: .object(members))
    }
}

/// Wraps a transport. It signs each attempt, as a signature contains its time, and throws CloudKit's errors from
/// responses.
struct CloudKitTransport: SourceTransport {
    let base: any SourceTransport
    let settings: CloudKitSettings
    let clock: SourceClock

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        let request = try signed(request)
        let response = try await base.send(request, limits: limits, progress: progress)
        if let failure = CloudKitFailure(in: request.masking(response)) {
            throw failure.error(of: request.source, response, now: clock.now())
        }
        return response
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        try await base.open(try signed(request), limits: limits)
    }

    private func signed(_ request: SourceRequest) throws(SourceError) -> SourceRequest {
        guard case .serverKey(let key) = settings.credentials else { return request }
        return try key.sign(request, path: settings.queryPath, now: clock.now())
    }
}
