#if Server
import HTTPTypes
import HummingbirdCore
import NIOCore

extension Response {
    /// The description of the management API in OpenAPI.
    static let openAPI = Response(json: ByteBuffer(bytes: PackageResources.openapi_json))
}

extension Route {
    /// The files of the page, which are compiled into the program.
    static let files = [
        ("/", "text/html; charset=utf-8", PackageResources.index_html),
        ("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
        ("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    ].map { path, type, content in
        let fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: contentPolicy,
            .contentLength: String(content.count), .referrerPolicy: "no-referrer",
        ]
        let file = ByteBuffer(bytes: content)
        return Route(.file, .get, path) { _ in
            Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: file))
        }
    }

    /// The page may load only its own files, and no other page may show it in a frame.
    private static let contentPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
#endif
