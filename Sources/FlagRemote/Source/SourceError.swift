public import FlagModel

/// Why a request to a source, or to the server of a team's overrides, failed: no connection, a refused credential, or
/// content that is not a known document.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// There is no file, or nothing at the URL.
        case missing
        /// The file cannot be opened or read.
        case unreadable
        /// The path leads to a directory, a pipe, a socket or a device.
        case notAFile
        /// The file or the response is above the size limit.
        case tooLarge
        /// The content is not a known document.
        case malformed
        /// A service cannot be reached, or the connection broke.
        case unreachable
        /// Rate limited by the service; see ``retryAfter``.
        case rateLimited
        /// The service rejected the credentials.
        case refused
        /// The service rejected the request.
        case rejected
        /// The service failed, such as with status 500.
        case faulty
        /// There was no complete response within the time limit.
        case timedOut
        /// The connection would not be safe: the certificate cannot be verified, or credentials would be sent to
        /// another origin or unencrypted.
        case insecure
        /// The request was cancelled.
        case cancelled
    }

    /// A cause outside the source, for remedies.
    package enum Cause: Sendable, Hashable {
        /// The value of an environment variable.
        case variable(String)
        /// A redirect that is not followed.
        case redirect
        /// A host name without an address.
        case unknownHost(String)
        /// No connection was made, so that the request was certainly not sent.
        case unconnected
    }

    /// The kind of failure.
    public let code: Code
    /// The path, or the source's name or URL, without secrets.
    public package(set) var path: String
    /// The message, for example `line 12, column 7: expected ',' or '}', found '"'`.
    public package(set) var sentence: String
    /// How long to wait before the next request, such as from `Retry-After`; `nil` if the service did not say.
    public package(set) var retryAfter: Duration?
    /// The HTTP status of the response; `nil` if there was none.
    public package(set) var status: Int?
    /// The cause of the failure, if it is outside the source; else `nil`.
    package var cause: Cause?
    /// Remedies that are more specific than those for ``code``, as sentences; empty if there are none.
    package var remedies: [String] = []

    /// A failure to read a path or a URL.
    public init(code: Code, path: String, sentence: String, retryAfter: Duration? = nil) {
        self.code = code
        self.path = path
        self.sentence = sentence
        self.retryAfter = retryAfter
    }

    /// The failure of a source that needs networking or cryptography in a build without the trait `Network`.
    package static func notCompiledIn(_ path: String) -> SourceError {
        SourceError(
            .rejected, of: path,
            "network sources are not compiled into this program; build it with the package trait Network",
            remedies: ["Build flagmenu with all sources: .github/scripts/release.sh"])
    }

    /// The failure of a service that confirms values which it has never sent.
    static func nothingFetched(_ path: String) -> SourceError {
        SourceError(.malformed, of: path, "the service says that nothing has changed, but nothing was fetched yet")
    }

    /// A failure with its cause and remedies.
    package init(
        _ code: Code, of path: String, _ sentence: String, cause: Cause? = nil, remedies: [String] = []
    ) {
        self.init(code: code, path: path, sentence: sentence)
        (self.cause, self.remedies) = (cause, remedies)
    }

    /// The failure to read content that is not a known document.
    ///
    /// - Parameters:
    ///   - error: the error in the content.
    ///   - path: the path, or the source's name, without secrets.
    public init(_ error: DocumentError, of path: String) {
        self.init(code: .malformed, path: path, sentence: error.description)
    }

    /// Calls `read`, and converts its error to one that names the document's path or source.
    public static func reading<Value>(
        _ path: String, _ read: () throws(DocumentError) -> Value
    ) throws(SourceError) -> Value {
        do throws(DocumentError) {
            return try read()
        } catch {
            throw SourceError(error, of: path)
        }
    }

    /// The value, with its error converted to one that names the document's path or source.
    package static func reading<Value>(
        _ path: String, value: @autoclosure () throws(DocumentError) -> Value
    ) throws(SourceError) -> Value { try reading(path, value) }

    /// Whether the same request may succeed a little later, without a fix.
    package var isTransient: Bool {
        switch code {
        case .unreachable, .rateLimited, .faulty, .timedOut, .malformed: true
        case .missing, .unreadable, .notAFile, .tooLarge, .refused, .rejected, .insecure, .cancelled: false
        }
    }

    /// The path and the message, for example `shop.json: no such file`.
    public var description: String { path.isEmpty ? sentence : "\(path): \(sentence)" }
}

extension SourceError {
    /// The error for the status of a response: what happened, and what to do. `nil` for 2xx and 304.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - source: the source's name in errors.
    ///   - now: the current time, for a date in `Retry-After`.
    ///   - detail: the service's explanation from the response, which the error quotes and truncates.
    ///   - isPublishing: whether the request changes the flags of all users.
    public init?(
        _ response: SourceResponse, of source: String, now: FlagTimestamp, detail: String? = nil,
        isPublishing: Bool = false
    ) {
        let status = response.status
        guard status != 407 else {
            self = .proxyCredentials(source)
            self.status = status
            return
        }
        guard !(200...299 ~= status), status != 304 else { return nil }
        let wait = response.headers["Retry-After"].flatMap { RetryAfter.duration($0, now: now) }
        let publishing = isPublishing ? Self.meaningOfPublishing(status) : nil
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
        case 400, 409, 412, 422: (.rejected, "the service rejected the publication", "fix it, then publish again")
        case 403: (.refused, "these credentials may not publish", "ask the operator of the service for access")
        case 413: (.rejected, "the publication is too large", "remove what is no longer needed, then publish again")
        default: nil
        }
    }

    /// What a status means for a request that reads.
    private static func meaning(of status: Int, _ wait: Duration?) -> Meaning {
        let later = wait.map { "retry in \($0.components.seconds) s" }
        return switch status {
        case 300...399: (.rejected, "the service redirects elsewhere", "correct the address of the source")
        case 401:
            (
                .refused, "the service rejected the credentials",
                "check that the token or key is right and has not expired"
            )
        case 403: (.refused, "these credentials may not read flags", "ask the operator of the service for access")
        case 404, 410: (.missing, "the service has nothing at this address", "check the address of the source")
        case 408: (.timedOut, "the service waited too long for the request", "retry")
        case 413: (.rejected, "the request is too large", "make the context smaller")
        case 429: (.rateLimited, "rate limited", later ?? "polling is less frequent from now on")
        case 503: (.faulty, "the service is unavailable", later ?? "retry later")
        case 502, 504: (.faulty, "a gateway cannot reach the service", later ?? "retry later")
        case 500...599: (.faulty, "the service failed", later ?? "retry later, or contact its operator")
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
            .unreachable, of: source,
            "the proxy needs a user and a password (HTTP status 407)",
            remedies: ["Add user and password to the proxy variable: http://USER:PASSWORD@HOST:PORT."])
    }

    /// The error of a cancelled request.
    public static func cancelled(_ source: String) -> SourceError {
        SourceError(.cancelled, of: source, "the request was cancelled")
    }
}
