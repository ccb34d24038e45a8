#if Server
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The files of the page, which are compiled into the program.
struct PageFiles: Sendable {
    private let files: [String: (type: String, content: ByteBuffer)] = [
        "/": ("text/html; charset=utf-8", ByteBuffer(bytes: PackageResources.index_html)),
        "/page.css": ("text/css; charset=utf-8", ByteBuffer(bytes: PackageResources.page_css)),
        "/page.js": ("text/javascript; charset=utf-8", ByteBuffer(bytes: PackageResources.page_js)),
    ]

    /// The description of the management API in OpenAPI.
    static let openAPI = Response(json: ByteBuffer(bytes: PackageResources.openapi_json))

    /// The page may load only its own files, and no other page may show it in a frame.
    private static let contentPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Whether a path leads to a file.
    func hasFile(at path: String) -> Bool { files[path] != nil }

    /// The response with a file; `nil` if the path has none.
    func file(at path: String) -> Response? {
        guard let file = files[path] else { return nil }
        let fields: HTTPFields = [
            .contentType: file.type, .cacheControl: "no-cache", .contentSecurityPolicy: Self.contentPolicy,
            .contentLength: String(file.content.readableBytes), .referrerPolicy: "no-referrer",
        ]
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: file.content))
    }
}
#endif
