public import FlagModel

extension SourceError {
    /// The error for the status of a response: what happened, and what to do. `nil` for 2xx and 304.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - source: the source's name in errors.
    ///   - now: the current time, for a date in `Retry-After`.
    ///   - detail: the service's explanation from the response, which the error quotes and truncates.
    ///   - purpose: the purpose of the request.
    public init?(
        _ response: SourceResponse, of source: String, now: FlagTimestamp, detail: String? = nil,
        purpose: SourceRequest.Purpose = .reading
    ) {
        let status = response.status
        guard status != 407 else {
            self = .proxyCredentials(source)
            self.status = status
            return
        }
        guard !(200...299 ~= status), status != 304 else { return nil }
        let wait = response.headers["Retry-After"].flatMap { RetryAfter.duration($0, now: now) }
        let publishing = purpose == .publishing ? Self.meaningOfPublishing(status) : nil
        let (code, happened, remedy) = publishing ?? Self.meaning(of: status, wait)
        let serviceMessage = detail.map { ", and says \(JSONOutput.quoted($0, limit: 200))" } ?? ""
        self.init(
            code: code, path: source, sentence: "\(happened) (HTTP status \(status))\(serviceMessage); \(remedy)",
            retryAfter: code == .rateLimited || code == .faulty ? wait : nil)
        self.status = status
    }

    private typealias Meaning = (Code, happened: String, remedy: String)

    /// What a status means for a publish request; `nil` if it means the same as for reading.
    private static func meaningOfPublishing(_ status: Int) -> Meaning? {
        switch status {
        case 400, 409, 412, 422:
            (.rejected, "the service rejected the publication", "fix it, then publish again")
        case 403: (.refused, "these credentials may not publish", "ask the operator of the service for access")
        case 413:
            (
                .rejected, "the publication is too large",
                "remove what is no longer needed, then publish again"
            )
        default: nil
        }
    }

    /// What a status means for a request that reads.
    private static func meaning(of status: Int, _ wait: Duration?) -> Meaning {
        let later = wait.map { "retry in \($0.components.seconds) s" }
        return switch status {
        case 300...399:
            (.rejected, "the service redirects elsewhere", "correct the address of the source")
        case 400:
            (.rejected, "the service rejected the request", "check the settings of the source")
        case 401:
            (
                .refused, "the service rejected the credentials",
                "check that the token or key is right and has not expired"
            )
        case 403:
            (.refused, "these credentials may not read flags", "ask the operator of the service for access")
        case 404, 410: (.missing, "the service has nothing at this address", "check the address of the source")
        case 408: (.timedOut, "the service waited too long for the request", "retry")
        case 413: (.rejected, "the request is too large", "make the context smaller")
        case 429:
            (.rateLimited, "rate limited", later ?? "polling is less frequent from now on")
        case 503:
            (.faulty, "the service is unavailable", later ?? "retry later")
        case 502, 504:
            (.faulty, "a gateway cannot reach the service", later ?? "retry later")
        case 500...599:
            (.faulty, "the service failed", later ?? "retry later, or contact its operator")
        default: (.rejected, "the service rejected the request", "check the settings of the source")
        }
    }

    /// The error of a successful response that cannot be a document: an empty one, or a web page. `nil` if it may be one.
    init?(noDocumentIn response: SourceResponse, of source: String) {
        let text = response.body.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard !text.isEmpty else {
            self.init(
                code: .malformed, path: source,
                sentence:
                    "the service sent an empty response (HTTP status \(response.status)); check the address of the source"
            )
            return
        }
        let start = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
        guard ["<!doctype html", "<html"].contains(where: start.hasPrefix) else { return nil }
        self.init(
            code: .malformed, path: source,
            sentence:
                "the service sent a web page instead of flags, as a login page or a proxy does; open the address in a "
                + "browser, and check the address of the source")
    }

    /// The error of a proxy that needs other credentials. It is not `refused`, as the service's credentials may be right.
    package static func proxyCredentials(_ source: String) -> SourceError {
        SourceError(
            code: .unreachable, path: source, sentence: "the proxy needs a user and a password (HTTP status 407)",
            cause: nil,
            remedies: ["Add user and password to the proxy variable: http://USER:PASSWORD@HOST:PORT."])
    }

    /// The error of a cancelled request.
    public static func cancelled(_ source: String) -> SourceError {
        SourceError(code: .cancelled, path: source, sentence: "the request was cancelled")
    }
}
