#if Network
import FlagModel
import FlagTesting

/// A server with the flags that a client in `.github/scripts/vendor-clients/` expects, and named changes to them.
struct ServedService: Sendable {
    /// The server itself.
    let server: LoopbackServer
    /// The data that a client needs besides the URL.
    var facts: [(String, JSONOutput)] = []
    /// The name of the server's stream, or `nil` if there is none.
    var stream: String?
    /// Changes to the server's flags, by name.
    let changes: [String: @Sendable () async -> Void]

    /// All services by name.
    static let all: [String: @Sendable (_ arguments: [String]) async throws -> ServedService] = [
        "cloudkit": cloudKit, "firebase": firebase, "flagsmith": flagsmith, "growthbook": growthBook,
        "launchdarkly": launchDarkly, "ofrep": ofrep, "posthog": posthog, "split": split, "statsig": statsig,
        "unleash": unleash,
    ]
}
#endif
