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
/// CloudKit reports changes only to apps signed by Apple, by push. Here the records are polled, so that a change shows
/// after up to ``CloudKitSettings/pollInterval``; and all of them each time, as a query has no versions.
public final class CloudKitSource: RemoteSource {
    /// More pages than this are not a database of flags; 200,000 records.
    static let pageLimit = 1_000

    private let settings: CloudKitSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: CloudKitSettings, client: SourceClient) {
        self.settings = settings
        self.client = SourceClient(
            transport: CloudKitTransport(base: client.transport, settings: settings, clock: client.clock),
            limits: client.limits, streamLimits: client.streamLimits, retry: client.retry, clock: client.clock,
            progress: client.progress)
    }

    /// The database, and a short hash of the fields and addresses. All credentials read the same values.
    public var identity: SourceIdentity {
        let how = [settings.nameField, settings.activeField, settings.keyPrefix, settings.baseURL.text]
        let container = "\(settings.container)/\(settings.environment.rawValue)/\(settings.recordType)"
        return "cloudkit:\(container)#\(StableHash.text(how.joined(separator: "\n")))"
    }

    /// The container.
    public var name: String { settings.name }

    /// How often it is polled, as it does not report changes.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all records, page by page. If one page fails there is no response: half of the flags would look like
    /// all of them.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        var records: [String] = []
        var markers: Set<String> = []
        var (size, marker) = (0, String?.none)
        repeat {
            let (answer, length) = try await page(after: marker, size, client.reporting(to: progress))
            records += answer.records
            size += length
            guard size <= client.limits.bodySize else { throw endless(.tooLarge) }
            marker = answer.marker
            if let marker, !markers.insert(marker).inserted { throw endless(.malformed) }
            guard markers.count < Self.pageLimit else { throw endless(.tooLarge) }
        } while marker != nil
        return .values(Array("{\"records\":[\(records.joined(separator: ","))]}".utf8), version: nil)
    }

    /// One page, and its length in bytes.
    private func page(
        after marker: String?, _ before: Int, _ client: SourceClient
    ) async throws(SourceError) -> (CloudKitPage, Int) {
        let response = try await Self.client(client, telling: before).send(settings.request(continuing: marker))
        // The request named no version, so 304 is an error.
        _ = try SourceAnswer(response, since: nil, of: name)
        let page = try SourceError.reading(name) { () throws(DocumentError) in
            try CloudKitPage(parsing: response.body, settings)
        }
        return (page, response.body.count)
    }

    /// The client, reporting bytes on top of those of earlier pages.
    private static func client(_ client: SourceClient, telling before: Int) -> SourceClient {
        guard before > 0 else { return client }
        var later = client
        later.progress = { [client] progress in
            guard case .received(let bytes, _) = progress else { return client.progress(progress) }
            client.progress(.received(bytes: before + bytes, of: nil))
        }
        return later
    }

    private func endless(_ code: SourceError.Code) -> SourceError {
        let sentence =
            code == .tooLarge
            ? "CloudKit sends more than \(client.limits.bodySize) bytes or \(Self.pageLimit) pages; give flags a "
                + "record type of their own" : "CloudKit's pages repeat; retry later"
        return SourceError(code: code, path: name, sentence: sentence)
    }

    /// Decodes records; see ``CloudKitFlags``.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try CloudKitFlags.document(bytes, settings)
    }
}
