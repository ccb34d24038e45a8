#if Network
import FlagModel
import FlagRemote
import FlagTesting

/// A request of LaunchDarkly's client SDKs, parsed from its URL.
struct LaunchDarklyCall {
    enum Operation { case flags, stream, ping }

    let operation: Operation
    /// The client-side ID in the URL; `nil` on the paths for mobile apps.
    private let environment: String?
    /// The context as JSON; `nil` if it is malformed.
    let context: JSONValue?

    /// Parses a request; `nil` for other URLs.
    init?(_ request: LoopbackRequest) {
        var parts = request.path.split(separator: "/").map { PercentEncoding.decoded(String($0)) }[...]
        switch parts.popFirst() {
        case "sdk" where parts.popFirst() == "evalx": (operation, environment) = (.flags, parts.popFirst())
        case "msdk" where parts.popFirst() == "evalx": (operation, environment) = (.flags, nil)
        case "eval": (operation, environment) = (.stream, parts.popFirst())
        case "meval": (operation, environment) = (.stream, nil)
        case "ping": (operation, environment) = (.ping, parts.popFirst())
        case "mping": (operation, environment) = (.ping, nil)
        default: return nil
        }
        let isReport = request.method == "REPORT"
        guard isReport || request.method == "GET" else { return nil }
        if operation == .flags, parts.popFirst() != (isReport ? "context" : "contexts") { return nil }
        guard parts.count == (isReport || operation == .ping ? 0 : 1) else { return nil }
        let bytes = isReport ? request.body : parts.first.flatMap(Base64Text.bytes)
        context = bytes.flatMap { try? JSONDocument(parsing: $0).root }
    }

    /// The error response to a request; `nil` if the request is valid.
    func rejection(_ expected: LoopbackLaunchDarkly.Environment, _ request: LoopbackRequest) -> LoopbackReply? {
        if let environment {
            guard environment == expected.id else { return .status(404) }
            if let hash = expected.secureModeHash, request.query("h") != hash { return .status(401) }
        } else {
            guard let key = expected.mobileKey, ["api_key \(key)", key].contains(request.headers["Authorization"])
            else {
                return .status(401)
            }
        }
        let isComplete = context.map { $0["kind"]?.text == "multi" || $0["key"]?.text != nil } ?? false
        return operation == .ping || isComplete ? nil : .json(#"{"message": "invalid context"}"#, status: 400)
    }
}
#endif
