public import FlagModel

/// Why a source gave no document.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// There is no file, or nothing at the address.
        case missing
        /// The file cannot be opened or read.
        case unreadable
        /// A directory, a pipe, a socket or a device stands there.
        case notAFile
        /// The file or the answer is larger than we read.
        case tooLarge
        /// The content is no document that we know.
        case malformed
        /// A service cannot be reached, or breaks off.
        case unreachable
        /// A service wants fewer questions; ``retryAfter`` says when the next is welcome.
        case throttled
        /// A service does not know us, or does not let us in.
        case refused
        /// A service does not understand or accept the question.
        case rejected
        /// A service has failed on its side.
        case faulty
        /// A service did not answer, or not completely, in the time that it had.
        case timedOut
        /// The connection would not be safe: a certificate that cannot be verified, or credentials about to go elsewhere.
        case insecure
        /// Whoever asked does not want the answer any more.
        case cancelled
    }

    /// What besides the source a failure is about, for whoever tells what there is to mend.
    package enum Cause: Sendable, Hashable {
        /// The value of an environment variable.
        case variable(String)
        /// An answer that sends the request on to where it does not go.
        case redirect
        /// A host that has no address, by its name.
        case unknownHost(String)
    }

    /// The kind of failure.
    public let code: Code
    /// The path or the address as it was given, without secrets.
    public package(set) var path: String
    /// What is wrong, for example `line 12, column 7: expected ',' or '}', found '"'`.
    public package(set) var sentence: String
    /// How long the source wants to be left alone; `nil` where it did not say.
    public package(set) var retryAfter: Duration?
    /// The status of HTTP by which a service has failed or refused; `nil` where there was no such answer.
    public package(set) var status: Int?
    /// What it is about; `nil` where that is the source itself.
    package var cause: Cause?
    /// What to do about it, as sentences, where whoever found it knows more than its kind says.
    package var remedies: [String] = []

    /// A failure to read what is at a path or an address.
    public init(code: Code, path: String, sentence: String, retryAfter: Duration? = nil) {
        self.code = code
        self.path = path
        self.sentence = sentence
        self.retryAfter = retryAfter
    }

    /// The failure of whatever needs the network, or the cryptography for it, in a build without the trait `Network`.
    package static func notCompiledIn(_ path: String) -> SourceError {
        SourceError(
            code: .rejected, path: path,
            sentence: "network sources are not compiled into this program; build it with the package trait Network",
            cause: nil, remedies: ["Build flagmenu with all sources: .github/scripts/release.sh"])
    }

    /// The same with what programs go by.
    package init(code: Code, path: String, sentence: String, cause: Cause?, remedies: [String] = []) {
        self.init(code: code, path: path, sentence: sentence)
        self.cause = cause
        self.remedies = remedies
    }

    /// A content that is no document that we know.
    ///
    /// - Parameters:
    ///   - error: what is wrong with it.
    ///   - path: the path, or the source's name, without secrets.
    public init(_ error: DocumentError, of path: String) {
        self.init(code: .malformed, path: path, sentence: error.description)
    }

    /// Whether the same request may get a response a little later, without anybody fixing anything.
    package var isTransient: Bool {
        switch code {
        case .unreachable, .throttled, .faulty, .timedOut, .malformed: true
        case .missing, .unreadable, .notAFile, .tooLarge, .refused, .rejected, .insecure, .cancelled: false
        }
    }

    /// The path and what is wrong with it, for example `shop.json: no such file`.
    public var description: String { path.isEmpty ? sentence : "\(path): \(sentence)" }
}
