import FlagModel
public import FlagRemote

extension PostHogSettings {
    /// The source's name in messages, with the host.
    var name: String { "posthog:\(baseURL.authority)" }

    /// The request for all flags (`POST /flags/?v=2`, <https://posthog.com/docs/api/flags>). The endpoint sends no
    /// version with its responses.
    public func request() -> SourceRequest {
        // The endpoint reads the key from a member `token` or `api_key` (PostHog/posthog, flag_request.rs). Errors mask
        // the value of a member `token`.
        let members = [("token", JSONOutput.string(projectAPIKey.reveal()))] + parameters
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/flags/").adding(query: "v", "2"), body: .object(members))
    }

    /// The members of the body without the key: the evaluation context, and which flags are requested.
    private var parameters: [(String, JSONOutput)] {
        var members = context.members
        // Without a runtime, the endpoint infers one from the User-Agent, and leaves out the flags of other runtimes
        // (PostHog/posthog, `rust/feature-flags/src/handler/flags.rs`).
        members.append(("evaluation_runtime", .string(evaluationRuntime.rawValue)))
        for (name, texts) in [("flag_keys_to_evaluate", flagKeys), ("evaluation_contexts", evaluationContexts)]
        where !texts.isEmpty {
            members.append((name, .array(texts.map { .string($0) })))
        }
        if !usesGeoIP { members.append(("geoip_disable", .bool(true))) }
        return members
    }

    /// The evaluation context and the requested flags as a text, for the source's identity.
    var identityText: String { "\(JSONOutput.object(parameters).text(indented: false))\n\(keyPrefix)" }
}
