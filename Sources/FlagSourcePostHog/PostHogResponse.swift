import FlagModel

/// A response of the flags endpoint (PostHog/posthog, `rust/feature-flags/src/api/types.rs`, `FlagsResponse`).
struct PostHogResponse {
    /// The flags: an object with a record for each key.
    let flags: JSONValue
    /// Whether PostHog could not evaluate some flags.
    let hasErrors: Bool
    /// Whether PostHog evaluated no flag, because the project has reached its billing limit.
    let isQuotaLimited: Bool

    /// Why there are no flags, and what to do.
    static let quotaSentence =
        "the project has reached its billing limit for feature flags, so PostHog evaluates none (quota limited); raise "
        + "the limit in PostHog's billing settings, or wait for the next billing period"

    /// Parses a response.
    init(parsing body: [UInt8]) throws(DocumentError) {
        let root = try JSONDocument(document: body).root
        guard let flags = root["flags"], flags.kind == .object else {
            throw .unknownShape(
                "the response has no object \"flags\"; is this the URL of PostHog (\(PostHogSettings.usBaseURL), "
                    + "\(PostHogSettings.euBaseURL) or self-hosted)?")
        }
        self.flags = flags
        hasErrors = root["errorsWhileComputingFlags"]?.bool == true
        isQuotaLimited = root["quotaLimited"]?.elements.contains { $0.text?.string == "feature_flags" } == true
    }

    /// Whether PostHog could not evaluate the flag that a record describes.
    static func isFailed(_ record: JSONValue) -> Bool { record["failed"]?.bool == true }

    /// The records as JSON, by key.
    fileprivate var records: FlagTable<String> {
        FlagTable(flags.members.map { ($0.key.string, $0.value.compactJSON) }) { first, _ in first }
    }

    /// The records of flags that PostHog has evaluated, as JSON, by key.
    fileprivate var evaluatedRecords: FlagTable<String> {
        let evaluated = flags.members.filter { !Self.isFailed($0.value) }
        return FlagTable(evaluated.map { ($0.key.string, $0.value.compactJSON) }) { first, _ in first }
    }
}

/// The last record of each flag, from the cache or from this run.
///
/// PostHog's clients for apps also keep the last value of a flag that PostHog could not evaluate (PostHog/posthog-ios,
/// `PostHog/PostHogRemoteConfig.swift`).
struct PostHogMemory {
    private var known: FlagTable<String> = [:]

    /// Records the flags of a new or cached response.
    mutating func learn(_ response: PostHogResponse) { known.merge(response.evaluatedRecords) { _, new in new } }

    /// The response to cache. It includes the last records of flags that PostHog could not evaluate. It omits the
    /// request's ID and time, so equal flags have equal bytes.
    mutating func completing(_ response: PostHogResponse) -> [UInt8] {
        let evaluated = response.evaluatedRecords
        known = (response.hasErrors ? known : [:]).merging(evaluated) { _, new in new }
        let records = response.records.merging(known) { _, known in known }
        let members = records.sortedByKey.map { ($0.key, JSONOutput.raw($0.value)) }
        return Array(
            JSONOutput.object([
                ("errorsWhileComputingFlags", .bool(response.hasErrors)), ("flags", .object(members)),
            ]).text(indented: false).utf8)
    }
}
