import FlagModel
import FlagRemote
import FlagSourcePostHog

/// PostHog's flags endpoint.
struct PostHogKind: SourceKind {
    let scheme = "posthog"
    let title = "PostHog, by its flags endpoint"
    let address = SourceAddress(variable: "POSTHOG_HOST", homes: [PostHogSettings.usBaseURL])
    let options: [SourceOption] = [
        .context(
            "The evaluation context: distinct_id, groups, group_properties, and person properties.",
            targetingMember: "distinct_id", mistakes: PostHogContext.mistakes),
        .prefix, .pollSeconds, .allowHTTP,
        SourceOption("flagKeys", .text, "Requests only these flags, separated by commas."),
        SourceOption(
            "evaluationRuntime", .choice(PostHogSettings.EvaluationRuntime.allCases.map(\.rawValue)),
            "Requests only flags of apps (client) or of servers (server); all by default."),
        SourceOption(
            "evaluationContexts", .text, "Leaves out tagged flags that have none of these tags, separated by commas."),
        .yesOrNo("useGeoIP", "Whether PostHog looks up the location of the IP address."),
        .credential("key", variable: "POSTHOG_PROJECT_API_KEY"),
    ]

    func source(_ settings: SourceSettings, _ client: SourceClient) throws(SourceError) -> any RemoteSource {
        let key = try settings.secret("key", "PostHog needs the project API key, which begins with phc_")
        var posthogSettings = try PostHogSettings(
            baseURL: settings.address(or: PostHogSettings.usBaseURL), projectAPIKey: key)
        let words =
            "\"distinct_id\", \"device_id\" and the keys in \"groups\" must be non-empty strings or numbers, "
            + "\"person_properties\" an object, and \"group_properties\" an object of objects; the names have "
            + "underscores"
        posthogSettings.context = try settings.context(PostHogContext.init, words) ?? posthogSettings.context
        posthogSettings.flagKeys = settings.list("flagKeys")
        posthogSettings.evaluationContexts = settings.list("evaluationContexts")
        posthogSettings.evaluationRuntime =
            settings.choice("evaluationRuntime") ?? posthogSettings.evaluationRuntime
        posthogSettings.usesGeoIP = settings.text("useGeoIP") != "no"
        posthogSettings.keyPrefix = settings.keyPrefix
        posthogSettings.pollInterval = settings.pollInterval ?? posthogSettings.pollInterval
        return PostHogSource(posthogSettings, client: client)
    }

    package func remedies(for error: SourceError, of settings: SourceSettings) -> [String] {
        let (us, eu) = (PostHogSettings.usBaseURL, PostHogSettings.euBaseURL)
        return switch error.code {
        case .refused:
            [
                "Check that \(settings.credential("key")?.place ?? "the key") has the project API key (phc_…) from the "
                    + "project's settings in PostHog.",
                "Check the region: the address of the US cloud is \(us), and that of the EU cloud \(eu).",
            ]
        case .missing:
            [
                "Check the address: use \(us), \(eu) or the URL of a self-hosted PostHog. PostHog versions without the "
                    + "endpoint /flags, which have only /decide, are not supported."
            ]
        default: []
        }
    }
}
