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
        (.contentType, "application/json"), (.cacheControl, "no-store"),
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
    var bytes: ByteBuffer {
        // A capacity that most heads fit into.
        var bytes = ByteBufferAllocator().buffer(capacity: 400 + body.readableBytes)
        bytes.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for (name, value) in Self.commonFields { bytes.writeField(name, value) }
        for field in fields { bytes.writeField(field.name, field.value) }
        bytes.writeField(.contentLength, String(body.readableBytes))
        bytes.writeStaticString("\r\n")
        bytes.writeImmutableBuffer(body)
        return bytes
    }
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ name: HTTPField.Name, _ value: String) {
        writeString(name.rawName)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
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
