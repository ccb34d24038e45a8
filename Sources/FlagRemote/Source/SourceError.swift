public import FlagModel

/// Why a source returned no document.
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
            code: .rejected, path: path,
            sentence: "network sources are not compiled into this program; build it with the package trait Network",
            cause: nil, remedies: ["Build flagmenu with all sources: .github/scripts/release.sh"])
    }

    /// The failure of a service that confirms values which it has never sent.
    static func nothingFetched(_ path: String) -> SourceError {
        SourceError(
            code: .malformed, path: path,
            sentence: "the service says that nothing has changed, but nothing was fetched yet")
    }

    /// A failure with its cause and remedies.
    package init(code: Code, path: String, sentence: String, cause: Cause?, remedies: [String] = []) {
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
