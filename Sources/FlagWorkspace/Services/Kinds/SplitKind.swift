import FlagModel
import FlagRemote
import FlagSourceSplit

/// Split's evaluator.
struct SplitKind: SourceKind {
    let scheme = "split"
    let title = "an evaluator of Split (Harness FME)"
    let address = SourceAddress(homes: [SplitSettings.defaultBaseURL])
    let options: [SourceOption] = [
        .prefix, .pollSeconds,
        .contextText(
            "matchingKey", "The key that flags are evaluated for, such as a user ID.",
            standard: SplitKey.defaultMatchingKey),
        .contextText("trafficType", "The traffic type of the key; user by default."),
        .contextText("bucketingKey", "The key for percentages, if it differs."),
        .context(
            "Attributes for targeting rules.", named: "attributes", targetingMember: "matchingKey",
            mistakes: ["key": "matchingKey"]),
        SourceOption("flagNames", .text, "Requests only these flags, separated by commas."),
        SourceOption("flagSets", .text, "Requests only the flags of these sets, separated by commas."),
        SourceOption("environment", .text, "The environment, if the token selects one of several."),
        .usePOST, .allowHTTP, .credential("token", variable: "SPLIT_EVALUATOR_AUTH_TOKEN"),
    ]

    package func unusedOptions(_ settings: SourceSettings) -> [String: String] {
        settings.text("flagSets") == nil ? [:] : ["flagNames": "\"flagSets\" selects the flags"]
    }

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        var splitSettings = try SplitSettings(
            baseURL: settings.address(or: SplitSettings.defaultBaseURL))
        try settings.requireContextTexts()
        splitSettings.keys = [
            SplitKey(
                settings.text("matchingKey") ?? SplitKey.defaultMatchingKey,
                trafficType: settings.text("trafficType") ?? SplitKey.defaultTrafficType,
                bucketingKey: settings.text("bucketingKey"))
        ]
        if let attributes = settings.member("attributes").flatMap({ ContextAttributes($0) }) {
            splitSettings.attributes = attributes
        }
        let (names, sets) = (settings.list("flagNames"), settings.list("flagSets"))
        if !names.isEmpty { splitSettings.selection = .names(names) }
        if !sets.isEmpty { splitSettings.selection = .sets(sets) }
        splitSettings.environment = settings.text("environment")
        splitSettings.keyPrefix = settings.keyPrefix
        if settings.isYes("usePOST") { splitSettings.requestMethod = .post }
        splitSettings.pollInterval = settings.pollInterval ?? splitSettings.pollInterval
        splitSettings.token = try settings.secret("token")
        return SplitSource(splitSettings, client: client)
    }
}
