import FlagModel
import FlagTesting

/// A server with the flags that a client in `.github/scripts/vendor-clients/` expects, and the changes that it is told of.
struct ServedService: Sendable {
    /// What carries it.
    let server: LoopbackServer
    /// What a client must know besides the address.
    var facts: [(String, JSONOutput)] = []
    /// The name of its stream; `nil` where it has none.
    var stream: String?
    /// What can happen to its flags.
    let changes: [String: @Sendable () async -> Void]

    /// All services by name.
    static let all: [String: @Sendable (_ arguments: [String]) async throws -> ServedService] = [
        "cloudkit": cloudKit, "firebase": firebase, "launchdarkly": launchDarkly, "ofrep": ofrep, "split": split,
        "unleash": unleash,
    ]
}
