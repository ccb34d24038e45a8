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
        var parts = request.path.split(separator: "/").map { PercentEncoding.decoded(String($0)) }
        let isReport = request.method == "REPORT"
        let bytes = isReport ? request.body : parts.popLast().flatMap(Base64Text.bytes)
        let isMobile = parts.first?.hasPrefix("m") ?? false
        isStream = parts.first?.hasSuffix("eval") ?? false
        environment = isMobile ? nil : parts.dropFirst(isStream ? 1 : 2).first
        context = bytes.flatMap { JSONValue.parsed($0) }
        let start = (isMobile ? "m" : "") + (isStream ? "eval" : "sdk/evalx")
        let path = [start, environment, isStream ? nil : isReport ? "context" : "contexts"].compactMap { $0 }
        guard isReport || request.method == "GET", parts.joined(separator: "/") == path.joined(separator: "/") else {
            return nil
        }
    }
}
#endif
