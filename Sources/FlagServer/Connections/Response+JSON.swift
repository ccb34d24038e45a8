#if Server
import FlagModel
import HTTPTypes
import HummingbirdCore
import NIOCore

extension Response {
    /// A JSON response that was encoded before.
    init(json body: ByteBuffer, status: HTTPResponse.Status = .ok) {
        let fields: HTTPFields = [
            // The values change at any time.
            .contentType: "application/json", .cacheControl: "no-store", .contentLength: String(body.readableBytes),
        ]
        self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }

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
        var headers = headers
        headers[.connection] = "close"
        return Response(
            status: status, headers: headers, body: ResponseBody { _ in throw CancellationError() })
    }
}
#endif
