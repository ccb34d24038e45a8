#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore
import NIOCore

extension ByteBuffer {
    /// JSON on a line.
    init(json: JSONOutput) { self.init(string: json.text(indented: false) + "\n") }
}

/// A JSON response whose whole body is known, unlike that of a stream.
struct ReadyResponse: Sendable {
    var status = HTTPResponse.Status.ok
    /// The fields other than those that every JSON response has.
    var fields: HTTPFields = [:]
    let body: ByteBuffer

    /// No cache may store a response: the values change at any time.
    fileprivate static let commonFields: [(name: HTTPField.Name, value: String)] = [
        (.contentType, "application/json"), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"),
    ]

    /// A response that was encoded before.
    init(json body: ByteBuffer, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// A response with JSON on a line.
    init(json: JSONOutput, status: HTTPResponse.Status = .ok) {
        self.init(json: ByteBuffer(json: json), status: status)
    }

    /// The response to a request that failed.
    init(_ error: APIError) {
        self.init(json: error.json, status: error.code.status)
        if error.code == .unauthorized { fields[.wwwAuthenticate] = "Bearer" }
        if error.code == .rateLimited { fields[.retryAfter] = "1" }
    }

    /// The response as HTTP/1.1 sends it.
    ///
    /// - Parameter date: the current date in the format of HTTP.
    func bytes(date: String) -> ByteBuffer {
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        head += Self.commonLines
        head += date
        head += "\r\nContent-Length: "
        head += String(body.readableBytes)
        head += "\r\n\r\n"
        var bytes = ByteBufferAllocator().buffer(capacity: head.utf8.count + body.readableBytes)
        bytes.writeString(head)
        bytes.writeImmutableBuffer(body)
        return bytes
    }

    /// The common fields as HTTP/1.1 sends them, up to the date.
    private static let commonLines = commonFields.map { "\($0.name): \($0.value)\r\n" }.joined() + "Date: "
}

extension Response {
    init(_ response: ReadyResponse) {
        var fields = response.fields
        for (name, value) in ReadyResponse.commonFields { fields[name] = value }
        fields[.contentLength] = String(response.body.readableBytes)
        self.init(status: response.status, headers: fields, body: ResponseBody(byteBuffer: response.body))
    }

    /// A JSON response that was encoded before.
    init(json body: ByteBuffer, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        self.init(ReadyResponse(json: body, status: status, fields: fields))
    }

    /// A JSON response.
    init(json: JSONOutput, status: HTTPResponse.Status = .ok) {
        self.init(ReadyResponse(json: json, status: status))
    }

    /// The response to a request with HEAD: the head alone, with the length of the body.
    var withoutBody: Response {
        guard headers[.contentLength] == nil else { return createHeadResponse() }
        // A stream has no length. NIO would write the end of the stream, which the client takes for another response,
        // so the connection is closed instead.
        var headers = headers
        headers[.connection] = "close"
        return Response(
            status: status, headers: headers, body: ResponseBody { _ in throw CancellationError() })
    }
}
#endif
