#if Network
import FlagModel
import FlagRemote
import FlagTesting

/// A request of LaunchDarkly's client SDKs, parsed from its URL.
struct LaunchDarklyCall {
    let isStream: Bool
    /// The client-side ID in the URL; `nil` on the paths for mobile apps.
    let environment: String?
    /// The context as JSON; `nil` if it is malformed.
    let context: JSONValue?

    /// Parses a request; `nil` for other URLs.
    init?(_ request: LoopbackRequest) {
        var parts = request.path.split(separator: "/").map { PercentEncoding.decoded(String($0)) }[...]
        switch parts.popFirst() {
        case "sdk" where parts.popFirst() == "evalx": (isStream, environment) = (false, parts.popFirst())
        case "msdk" where parts.popFirst() == "evalx": (isStream, environment) = (false, nil)
        case "eval": (isStream, environment) = (true, parts.popFirst())
        case "meval": (isStream, environment) = (true, nil)
        default: return nil
        }
        let isReport = request.method == "REPORT"
        guard isReport || request.method == "GET" else { return nil }
        if !isStream, parts.popFirst() != (isReport ? "context" : "contexts") { return nil }
        guard parts.count == (isReport ? 0 : 1) else { return nil }
        let bytes = isReport ? request.body : parts.first.flatMap(Base64Text.bytes)
        context = bytes.flatMap { try? JSONDocument(parsing: $0).root }
    }
}
#endif
