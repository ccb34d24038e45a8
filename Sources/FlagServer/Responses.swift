#if Server
import FlagModel
import FlagQueries
import FlagStorage
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Why a request was not answered.
struct APIError: Error {
    /// A kind of errors: the word in the response, and its HTTP status.
    struct Code: Sendable, Equatable {
        let word: String
        let status: HTTPResponse.Status

        static let usage = Code(word: "usage", status: .badRequest)
        static let unauthorized = Code(word: "unauthorized", status: .unauthorized)
        static let forbidden = Code(word: "forbidden", status: .forbidden)
        static let readOnly = Code(word: "read_only", status: .forbidden)
        static let notFound = Code(word: "not_found", status: .notFound)
        static let nothingToUndo = Code(word: "nothing_to_undo", status: .conflict)
        static let conflict = Code(word: "conflict", status: .conflict)
        static let taken = Code(word: "taken", status: .conflict)
        static let tooLarge = Code(word: "too_large", status: .contentTooLarge)
        static let invalidValue = Code(word: "invalid_value", status: .unprocessableContent)
        static let rateLimited = Code(word: "rate_limited", status: .tooManyRequests)
        static let store = Code(word: "store", status: .init(code: 507, reasonPhrase: "Insufficient Storage"))
        // The codes of the OpenFeature Remote Evaluation Protocol.
        static let flagNotFound = Code(word: "FLAG_NOT_FOUND", status: .notFound)
        static let parseError = Code(word: "PARSE_ERROR", status: .badRequest)
        static let invalidContext = Code(word: "INVALID_CONTEXT", status: .badRequest)
        /// The client should retry, and use neither a value nor a default of the server meanwhile.
        static let general = Code(word: "GENERAL", status: .serviceUnavailable)
    }

    let code: Code
    /// What happened and what to do, as sentences.
    let message: String
    /// When to retry, in seconds; `nil` if that would not help.
    let retryAfter: Int?
    /// What the change would be now, as somebody wrote meanwhile; `nil` for other errors.
    let preview: JSONOutput?

    init(_ code: Code, _ message: String, retryAfter: Int = 1, preview: JSONOutput? = nil) {
        (self.code, self.message, self.preview) = (code, message, preview)
        self.retryAfter = code == .rateLimited || code == .general ? retryAfter : nil
    }

    /// The error of a request; `nil` for one of its connection.
    init?(_ error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as InvalidText: self.init(.invalidValue, error.sentence)
        case let error as StorageError:
            let codes: [StorageError.Code: Code] = [
                .refused: .readOnly, .nothingToUndo: .nothingToUndo, .nothingToRedo: .nothingToUndo,
                .unknownName: .notFound, .takenName: .taken, .invalidName: .usage,
            ]
            self.init(codes[error.code] ?? .store, error.sentence)
        default: return nil
        }
    }

    /// The JSON in the body of a request.
    ///
    /// - Parameters:
    ///   - code: the code of the error if the body is not JSON.
    ///   - consequence: the end of its message.
    static func parsing(_ body: [UInt8], orThrow code: Code, _ consequence: String = "") throws(APIError) -> JSONValue {
        do throws(JSONError) {
            return try JSONDocument(parsing: body).root
        } catch {
            throw APIError(code, "The request body is not JSON: \(error.description.asSentence)\(consequence)")
        }
    }

    /// The body of the response of the management API and the page.
    var json: JSONOutput {
        .object(present: [
            ("error", .object([("code", .string(code.word)), ("message", .string(message))])), ("preview", preview),
        ])
    }

    /// The body of the response in the OpenFeature Remote Evaluation Protocol.
    ///
    /// - Parameter key: the requested flag; `nil` for all flags.
    func evaluationJSON(of key: String?) -> JSONOutput {
        .object(present: [
            ("key", key.map(JSONOutput.string)), ("errorCode", .string((code == .rateLimited ? .general : code).word)),
            ("errorDetails", .string(message)),
        ])
    }
}

extension Response {
    /// A JSON response that was encoded before.
    init(json body: ByteBuffer, status: HTTPResponse.Status = .ok) {
        let fields: HTTPFields = [
            // The values change at any time.
            .contentType: "application/json", .cacheControl: "no-store", .contentLength: String(body.readableBytes),
        ]
        self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }

    /// The description of the management API in OpenAPI.
    static let openAPI = Response(json: ByteBuffer(bytes: PackageResources.openapi_json))

    /// A JSON response, on a line.
    init(json: JSONOutput, status: HTTPResponse.Status = .ok) {
        self.init(json: ByteBuffer(string: json.text(indented: false) + "\n"), status: status)
    }

    /// The response to a request that failed.
    ///
    /// - Parameter json: the body; by default, that of the management API.
    init(_ error: APIError, json: JSONOutput? = nil) {
        self.init(json: json ?? error.json, status: error.code.status)
        if error.code == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        headers[.retryAfter] = error.retryAfter.map(String.init)
    }

    /// The response to a request with HEAD: the head alone, with the length of the body.
    var withoutBody: Response {
        guard headers[.contentLength] == nil else { return createHeadResponse() }
        // A stream has no length. NIO would write the end of the stream, which the client takes for another response,
        // so the connection is closed instead.
        var head = Response(status: status, headers: headers, body: ResponseBody { _ in throw CancellationError() })
        head.headers[.connection] = "close"
        return head
    }
}
#endif
