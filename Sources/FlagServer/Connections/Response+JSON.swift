#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore
import NIOCore

extension ByteBuffer {
    /// JSON on a line.
    init(json: JSONOutput) { self.init(string: json.text(indented: false) + "\n") }
}

extension Response {
    /// A JSON response that was encoded before.
    init(json body: ByteBuffer, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentType] = "application/json"
        // The values change at any time.
        fields[.cacheControl] = "no-store"
        fields[.contentLength] = String(body.readableBytes)
        self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }

    /// A JSON response.
    init(json: JSONOutput, status: HTTPResponse.Status = .ok) {
        self.init(json: ByteBuffer(json: json), status: status)
    }

    /// The response to a request that failed.
    init(_ error: APIError) {
        self.init(json: error.json, status: error.code.status)
        if error.code == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if error.code == .rateLimited { headers[.retryAfter] = "1" }
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
