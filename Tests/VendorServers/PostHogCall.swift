#if Network
import FlagModel

/// A request to PostHog's flags endpoint, and its evaluation.
struct PostHogCall {
    /// The result of one flag.
    struct Result {
        var isOn = false
        let code: String
        let description: String
    }

    private let body: JSONValue
    private let userAgent: String

    init(_ body: JSONValue, userAgent: String) {
        (self.body, self.userAgent) = (body, userAgent)
    }

    /// Whether a flag is evaluated. Its runtime and the requested keys determine this (`handler/flags.rs`).
    func includes(_ flag: LoopbackPostHog.Flag) -> Bool {
        let keys = body["flag_keys_to_evaluate"].map { $0.elements.compactMap { $0.text?.string } }
        let isServer = userAgent.hasPrefix("posthog-python/")
        let runtime = body["evaluation_runtime"]?.text?.string ?? (isServer ? "server" : "")
        return keys?.contains(flag.key) != false && (["all", runtime].contains(flag.runtime) || runtime == "all")
    }

    /// The result of a flag, with a reason as in `flags/flag_match_reason.rs`.
    func result(of flag: LoopbackPostHog.Flag) -> Result {
        if flag.isFailing { return Result(code: "timeout_error", description: "Timed out while fetching data") }
        guard flag.isEnabled else { return Result(code: "flag_disabled", description: "Feature flag is disabled") }
        if let type = flag.groupType, body["groups"]?[type] == nil {
            return Result(code: "no_group_type", description: "No group type")
        }
        if let audience = flag.audience, !isIncluded(in: audience, flag.groupType) {
            return Result(code: "no_condition_match", description: "No matching condition set")
        }
        return Result(isOn: true, code: "condition_match", description: "Matched condition set 1")
    }

    private func isIncluded(in audience: LoopbackAudience, _ groupType: String?) -> Bool {
        guard let groupType else { return audience.includes(body["person_properties"]) }
        // The server adds the group's key to the properties of the group (`handler/properties.rs`).
        return audience.includes(body["group_properties"]?[groupType])
            || audience.fact == "$group_key" && audience.includes(body["groups"]?[groupType]?.flagText?.string)
    }
}
#endif
