import FlagModel
import FlagRemote

/// A CloudKit error, for a whole request or for one record.
struct CloudKitFailure {
    /// The error code, such as `THROTTLED`.
    let code: String
    /// CloudKit's explanation, in English.
    let reason: String?
    /// How long to wait before the next request.
    let retryAfter: Duration?

    /// Reads an object of a response; `nil` if the object is not an error. The member `redirectURL`, for signing in, is
    /// ignored.
    init?(_ value: JSONValue) {
        guard let code = value["serverErrorCode"]?.text?.string else { return nil }
        self.code = code
        reason = value["reason"]?.text?.string
        retryAfter = value["retryAfter"].flatMap { Double($0.text?.string ?? $0.source) }.flatMap(Self.wait)
    }

    /// The error that makes a whole response unusable; `nil` if there is none. Either the response itself is an error,
    /// or one of its records has a temporary error: if only that record were left out, its flag would be off until the
    /// next response.
    /// Records with permanent errors are left out when decoding.
    init?(in response: SourceResponse) {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        let recordFailures = root["records"].map { $0.elements.compactMap { CloudKitFailure($0) } } ?? []
        guard let failure = CloudKitFailure(root) ?? recordFailures.first(where: { $0.retryAfter != nil }) else {
            return nil
        }
        self = failure
    }

    private static func wait(_ seconds: Double) -> Duration? {
        guard seconds.isFinite, seconds >= 0 else { return nil }
        return min(RetryAfter.longest, .seconds(min(seconds, 1e9).rounded(.up)))
    }

    /// The code, and the reason quoted and truncated.
    var summary: String {
        let code = JSONOutput.quoted(code, limit: 60).dropFirst().dropLast()
        return reason.map { "\(code), \(JSONOutput.quoted($0, limit: 200))" } ?? String(code)
    }

    /// The error for the user.
    ///
    /// - Parameters:
    ///   - source: the source's name in errors.
    ///   - response: the response; its header `Retry-After` is used if ``retryAfter`` is `nil`.
    ///   - now: the current time, for a date in `Retry-After`.
    func error(of source: String, _ response: SourceResponse, now: FlagTimestamp) -> SourceError {
        let wait = retryAfter ?? response.headers["Retry-After"].flatMap { RetryAfter.duration($0, now: now) }
        var error: SourceError
        if let (kind, happened, remedy) = Self.meanings[code] {
            let isPassing = kind == .rateLimited || kind == .faulty
            let later = isPassing ? wait.map { "retry in \($0.components.seconds) s" } : nil
            error = SourceError(
                code: kind, path: source,
                sentence: "\(happened) (\(summary), HTTP status \(response.status)); \(later ?? remedy)",
                retryAfter: isPassing ? wait : nil)
        } else {
            // Apple's reference does not list the code, so the HTTP status decides.
            var response = response
            if let wait { response.headers["Retry-After"] = String(wait.components.seconds) }
            error =
                SourceError(response, of: source, now: now, detail: reason.map { "\(code): \($0)" } ?? code)
                ?? SourceError(
                    code: .faulty, path: source, sentence: "CloudKit failed (\(summary)); retry later", retryAfter: wait
                )
        }
        error.status = response.status
        return error
    }

    /// The meanings of the codes on the page "Error Codes" of Apple's reference, except those for changing records. Each
    /// has a remedy in case CloudKit names no time to wait.
    private static let meanings: [String: (SourceError.Code, happened: String, remedy: String)] = [
        "ACCESS_DENIED": (
            .refused, "these credentials may not read the records",
            "in the CloudKit Console, let the role World read the record type"
        ),
        "AUTHENTICATION_FAILED": (
            .refused, "CloudKit rejected the credentials",
            "check the token, or the key and its id, the container and environment that they are for, and this "
                + "machine's clock"
        ),
        "AUTHENTICATION_REQUIRED": (
            .refused, "CloudKit shows these records only to signed-in users",
            "in the CloudKit Console, let the role World read the record type, or use a server-to-server key"
        ),
        "BAD_REQUEST": (
            .rejected, "CloudKit rejected the query",
            "check the record type and its fields, and that recordName is queryable in the CloudKit Console"
        ),
        "NOT_FOUND": (
            .missing, "CloudKit finds no such records", "check the container, the environment and the record type"
        ),
        "ZONE_NOT_FOUND": (.missing, "CloudKit finds no public database", "check the container and the environment"),
        "INTERNAL_ERROR": (.faulty, "CloudKit failed", "retry later"),
        "QUOTA_EXCEEDED": (
            .rejected, "the container has exceeded its CloudKit quota", "check its usage in the CloudKit Console"
        ),
        "THROTTLED": (.rateLimited, "rate limited by CloudKit", "polling is less frequent from now on"),
        "TRY_AGAIN_LATER": (.faulty, "CloudKit is busy", "retry later"),
    ]
}
