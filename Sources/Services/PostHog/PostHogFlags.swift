import FlagModel
import FlagRemote

/// Decodes the flags of a response.
///
/// The value of a flag `demo` is the variant that PostHog has chosen, as a text. A flag without a variant is `true` or
/// `false`. The payload is a separate flag, `demo.payload`. PostHog's clients return the same values
/// (PostHog/posthog-ios, `PostHog/PostHogRemoteConfig.swift`, `normalizeResponse`).
enum PostHogFlags {
    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix of the keys to read.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    static func document(
        _ response: PostHogResponse, keyPrefix prefix: String
    ) throws(DocumentError) -> RemoteDocument {
        guard !response.isQuotaLimited else { throw .unknownShape(PostHogResponse.quotaSentence) }
        let keys = Set(response.flags.members.map(\.key))
        var flags = EvaluatedFlags()
        if response.hasErrors {
            flags.warn(
                "PostHog could not evaluate some flags (errorsWhileComputingFlags); these flags keep their last values")
        }
        for (key, record) in response.flags.members where key.isMeant(byPrefix: prefix) {
            add(key, record, besides: keys, to: &flags)
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ key: FlagText, _ record: JSONValue, besides keys: Set<FlagText>, to flags: inout EvaluatedFlags
    ) {
        let quoted = key.quoted
        let note = reason(record)
        guard !PostHogResponse.isFailed(record) else {
            let words = note.map { " (\(JSONOutput.quoted($0.string, limit: 120).dropFirst().dropLast()))" } ?? ""
            return flags.warn("the flag \(quoted) was left out: PostHog could not evaluate it\(words)")
        }
        guard let isEnabled = record["enabled"]?.bool else {
            return flags.warn("the flag \(quoted) was left out: its \"enabled\" is not true or false")
        }
        let chosen = record["variant"].flatMap { $0.kind == .null ? nil : $0 }
        guard let variant = chosen == nil ? "" : chosen?.text else {
            return flags.warn("the flag \(quoted) was left out: its variant is not a text")
        }
        let payload = isEnabled ? payload(record) : nil
        guard key.string != RemoteDocument.catalogKey else {
            // The payload of this flag is the catalog; the flag's value does not matter.
            if let payload { flags.add(FlagItem(key: key), value: payload.text) }
            return
        }
        let isBool = variant.isEmpty
        let value: FlagText = isBool ? (isEnabled ? "true" : "false") : variant
        let details = record["metadata"]?["description"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        let item = FlagItem(
            key: key, details: details, options: isBool ? FlagOption.booleans : [],
            declaredType: isBool ? .bool : .string)
        flags.add(item, value: value, note: note)
        guard let payload else { return }
        flags.add(
            part: FlagItem(key: FlagText("\(key.string).payload"), declaredType: payload.type), value: payload.text,
            note: isBool ? "payload" : FlagText("payload of variant \(variant.string)"),
            called: "payload", besides: keys)
    }

    /// Why the flag has its value, such as `Matched condition set 1`.
    private static func reason(_ record: JSONValue) -> FlagText? {
        let texts = [record["reason"]?["description"]?.text, record["reason"]?["code"]?.text].compactMap { $0 }
        return texts.first { !$0.isEmpty }
    }

    /// The payload of a flag; `nil` if it has none. A payload is JSON in a string. A string that is not JSON is a text.
    private static func payload(_ record: JSONValue) -> (text: FlagText, type: FlagType)? {
        guard var payload = record["metadata"]?["payload"] else { return nil }
        if let text = payload.text {
            guard let document = try? JSONDocument(parsing: text) else { return (text, .string) }
            payload = document.root
        }
        return payload.flagText.map { ($0, payload.flagType ?? .string) }
    }
}

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

    /// The records of flags that PostHog has evaluated, as JSON, by key.
    ///
    /// PostHog's clients for apps also keep the last value of a flag that PostHog could not evaluate (PostHog/posthog-ios,
    /// `PostHog/PostHogRemoteConfig.swift`).
    var evaluatedRecords: FlagTable<String> {
        let evaluated = flags.members.filter { !Self.isFailed($0.value) }
        return FlagTable(evaluated.map { ($0.key.string, $0.value.compactJSON) }) { first, _ in first }
    }

    /// The response to cache. It includes the last records of flags that PostHog could not evaluate. It omits the
    /// request's ID and time, so equal flags have equal bytes.
    ///
    /// - Parameter known: the last record of each flag, from the cache or from this run.
    func completed(with known: inout FlagTable<String>) -> [UInt8] {
        known = (hasErrors ? known : [:]).merging(evaluatedRecords) { _, new in new }
        var records = known
        for (key, record) in flags.members where records[key.string] == nil { records[key.string] = record.compactJSON }
        let members = records.sortedByKey.map { ($0.key, JSONOutput.raw($0.value)) }
        return JSONOutput.object([("errorsWhileComputingFlags", .bool(hasErrors)), ("flags", .object(members))]).bytes
    }
}
