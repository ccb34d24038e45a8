public import FlagModel

/// Why a source gave no document.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// There is no file, or nothing at the URL.
        case missing
        /// The file cannot be opened or read.
        case unreadable
        /// It is a directory, a pipe, a socket or a device.
        case notAFile
        /// The file or the response is above the size limit.
        case tooLarge
        /// The content is not a known document.
        case malformed
        /// A service cannot be reached, or the connection broke.
        case unreachable
        /// Rate limited by the service; see ``retryAfter``.
        case throttled
        /// The service rejected the credentials.
        case refused
        /// The service rejected the request.
        case rejected
        /// The service failed, such as with status 500.
        case faulty
        /// No complete response within the time limit.
        case timedOut
        /// The connection would not be safe: a certificate that cannot be verified, or credentials that would go
        /// elsewhere.
        case insecure
        /// The request was cancelled.
        case cancelled
    }

    /// What besides the source a failure is about, for remedies.
    package enum Cause: Sendable, Hashable {
        /// The value of an environment variable.
        case variable(String)
        /// A redirect that is not followed.
        case redirect
        /// A host name without an address.
        case unknownHost(String)
    }

    /// The kind of failure.
    public let code: Code
    /// The path or the URL as it was given, without secrets.
    public package(set) var path: String
    /// What is wrong, for example `line 12, column 7: expected ',' or '}', found '"'`.
    public package(set) var sentence: String
    /// How long to wait before the next request, from `Retry-After`; `nil` if it was not given.
    public package(set) var retryAfter: Duration?
    /// The HTTP status of the response; `nil` if there was none.
    public package(set) var status: Int?
    /// What it is about; `nil` if it is the source itself.
    package var cause: Cause?
    /// What to do about it, as sentences, if more is known than the code says.
    package var remedies: [String] = []

    /// A failure to read a path or a URL.
    public init(code: Code, path: String, sentence: String, retryAfter: Duration? = nil) {
        self.code = code
        self.path = path
        self.sentence = sentence
        self.retryAfter = retryAfter
    }

    /// The failure of anything that needs the network, or its cryptography, in a build without the trait `Network`.
    package static func notCompiledIn(_ path: String) -> SourceError {
        SourceError(
            code: .rejected, path: path,
            sentence: "network sources are not compiled into this program; build it with the package trait Network",
            cause: nil, remedies: ["Build flagmenu with all sources: .github/scripts/release.sh"])
    }

    /// The same failure with its cause.
    package init(code: Code, path: String, sentence: String, cause: Cause?, remedies: [String] = []) {
        self.init(code: code, path: path, sentence: sentence)
        self.cause = cause
        self.remedies = remedies
    }

    /// The failure of a content that is not a known document.
    ///
    /// - Parameters:
    ///   - error: the error in the content.
    ///   - path: the path, or the source's name, without secrets.
    public init(_ error: DocumentError, of path: String) {
        self.init(code: .malformed, path: path, sentence: error.description)
    }

    /// Whether the same request may succeed a little later, without a fix.
    package var isTransient: Bool {
        switch code {
        case .unreachable, .throttled, .faulty, .timedOut, .malformed: true
        case .missing, .unreadable, .notAFile, .tooLarge, .refused, .rejected, .insecure, .cancelled: false
        }
    }

    /// The path and what is wrong with it, for example `shop.json: no such file`.
    public var description: String { path.isEmpty ? sentence : "\(path): \(sentence)" }
}
