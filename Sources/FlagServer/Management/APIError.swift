#if Server
import FlagModel
import FlagStorage
import HTTPTypes

/// Why a request was not answered.
struct APIError: Error {
    /// The kinds of errors, each with the word in the response.
    enum Code: String {
        case usage
        case unauthorized
        case forbidden
        case readOnly = "read_only"
        case notFound = "not_found"
        case nothingToUndo = "nothing_to_undo"
        case tooLarge = "too_large"
        case invalidValue = "invalid_value"
        case rateLimited = "rate_limited"
        case store
        // The codes of the OpenFeature Remote Evaluation Protocol.
        case flagNotFound = "FLAG_NOT_FOUND"
        case parseError = "PARSE_ERROR"
        case invalidContext = "INVALID_CONTEXT"
        /// The client should retry, and use neither a value nor a default of the server meanwhile.
        case general = "GENERAL"

        /// The HTTP status of the response.
        var status: HTTPResponse.Status {
            switch self {
            case .usage, .parseError, .invalidContext: .badRequest
            case .unauthorized: .unauthorized
            case .forbidden, .readOnly: .forbidden
            case .notFound, .flagNotFound: .notFound
            case .nothingToUndo: .conflict
            case .tooLarge: .contentTooLarge
            case .invalidValue: .unprocessableContent
            case .rateLimited: .tooManyRequests
            case .general: .serviceUnavailable
            case .store: .init(code: 507, reasonPhrase: "Insufficient Storage")
            }
        }
    }

    let code: Code
    /// What happened and what to do, as sentences.
    let message: String
    /// When to retry, in seconds; `nil` if that would not help.
    let retryAfter: Int?

    init(_ code: Code, _ message: String, retryAfter: Int = 1) {
        (self.code, self.message) = (code, message)
        self.retryAfter = code == .rateLimited || code == .general ? retryAfter : nil
    }

    /// The error of a failed write.
    init(_ error: StorageError) {
        switch error.code {
        case .refused: self.init(.readOnly, error.description)
        case .nothingToUndo, .nothingToRedo: self.init(.nothingToUndo, error.description)
        default: self.init(.store, error.description)
        }
    }

    /// The body of the response of the management API and the page.
    var json: JSONOutput {
        .object([("error", .object([("code", .string(code.rawValue)), ("message", .string(message))]))])
    }

    /// The body of the response in the OpenFeature Remote Evaluation Protocol.
    ///
    /// - Parameter key: the requested flag; `nil` for all flags.
    func evaluationJSON(of key: String?) -> JSONOutput {
        let code = code == .rateLimited ? Code.general : code
        return .object(
            (key.map { [("key", .string($0))] } ?? []) + [
                ("errorCode", .string(code.rawValue)), ("errorDetails", .string(message)),
            ])
    }
}
#endif
