#if Server
import FlagModel
import FlagStorage
import HTTPTypes

/// Why a request of the management API or the page was not answered.
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
        case internalError = "internal"
        case store

        /// The HTTP status of the response.
        var status: HTTPResponse.Status {
            switch self {
            case .usage: .badRequest
            case .unauthorized: .unauthorized
            case .forbidden, .readOnly: .forbidden
            case .notFound: .notFound
            case .nothingToUndo: .conflict
            case .tooLarge: .contentTooLarge
            case .invalidValue: .unprocessableContent
            case .rateLimited: .tooManyRequests
            case .internalError: .internalServerError
            case .store: .init(code: 507, reasonPhrase: "Insufficient Storage")
            }
        }
    }

    let code: Code
    /// What happened and what to do, as sentences.
    let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The error of a failed write.
    init(_ error: StorageError) {
        switch error.code {
        case .refused: self.init(.readOnly, error.description)
        case .nothingToUndo, .nothingToRedo: self.init(.nothingToUndo, error.description)
        default: self.init(.store, error.description)
        }
    }

    /// The body of the response.
    var json: JSONOutput {
        .object([("error", .object([("code", .string(code.rawValue)), ("message", .string(message))]))])
    }
}
#endif
