#if Server
import FlagModel
import FlagRemote
import HTTPTypes
import HummingbirdCore

/// Decides which requests are answered.
///
/// A web page of another origin can make a browser on this machine send requests here. Requests with a `Host` or an
/// `Origin` that is not the server's own are therefore rejected, which also stops DNS rebinding.
struct AccessPolicy: Sendable {
    /// What a request may do.
    enum Access: Sendable, Equatable { case read, write }

    /// The names and addresses by which clients reach the server.
    let names: HostNames
    /// The origins of web apps that may evaluate flags, in lower case.
    private let origins: Set<String>
    let scheme: String
    private let tokens: AccessTokens
    private let sessions: Sessions

    /// The name of the cookie with the id of a session, and an equals sign. Browsers send a cookie to all ports of a host,
    /// so each server has its own.
    private let cookie = "flagmenu-\(AccessToken().text.prefix(8))="

    init(_ settings: ServerSettings, _ tokens: AccessTokens, _ sessions: Sessions) {
        names = HostNames(settings)
        origins = Set(settings.allowedOrigins.map { $0.lowercased() })
        scheme = settings.certificate == nil ? "http" : "https"
        (self.tokens, self.sessions) = (tokens, sessions)
    }

    /// The path of a new link to the page, which opens once.
    func makeLink() -> String { "/login?code=\(sessions.makeCode().text)" }

    /// Opens a session for the browser with a one-time code, and shows the page, with the overrides of a client if the
    /// link names one.
    func openSession(code: String?, for client: String?) throws(APIError) -> Response {
        guard let session = sessions.open(code ?? "") else {
            throw APIError(
                .forbidden, "This link was opened before or is too old. Print a new one with: flagmenu serve --link")
        }
        let secure = scheme == "https" ? "; Secure" : ""
        return Response(
            status: .seeOther,
            headers: [
                .location: client.map { "/?client=\(PercentEncoding.encoded($0))" } ?? "/", .cacheControl: "no-store",
                .setCookie: "\(cookie)\(session.text); Path=/; HttpOnly; SameSite=Strict\(secure)",
            ])
    }

    /// What a request may do.
    ///
    /// - Parameters:
    ///   - isEvaluation: whether the request is one of OFREP, which web apps of ``origins`` may send.
    ///   - needsToken: whether the request needs a token if the server requires one for reading.
    /// - Throws: why the request is rejected.
    func access(of head: HTTPRequest, isEvaluation: Bool, needsToken: Bool) throws(APIError) -> Access {
        let fields = head.headerFields
        // RFC 9112, section 3.2: a proxy could have checked the other one.
        guard fields[.secondHost] == nil else { throw APIError(.usage, "The request has more than one Host.") }
        try checkHost(head.authority)
        try checkOrigin(head, isEvaluation: isEvaluation)
        let bearer = fields[.authorization].flatMap { text in
            text.lowercased().hasPrefix("bearer ") ? text.dropFirst("bearer ".count).drop { $0 == " " } : nil
        }
        let presented = [bearer, fields[.apiKey]?[...]].compactMap { $0 }
        if presented.contains(where: { tokens.writing.isEqual(to: $0) }) { return .write }
        let cookies = fields[.cookie]?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
        let ids = cookies.filter { $0.hasPrefix(cookie) }.map { $0.dropFirst(cookie.count) }
        if ids.contains(where: sessions.isOpen) { return .write }
        guard needsToken, let reading = tokens.reading else { return .read }
        if presented.contains(where: { reading.isEqual(to: $0) }) { return .read }
        throw APIError(
            .unauthorized,
            presented.isEmpty
                ? "This server needs a token: send the header Authorization: Bearer TOKEN, or open the link that flagmenu serve printed."
                : "The token is not one of this server; flagmenu serve makes new ones at each start.")
    }

    private func checkHost(_ authority: String?) throws(APIError) {
        let host = Self.bare(authority ?? "")
        if names.all.contains(host.lowercased()) { return }
        throw APIError(
            .forbidden,
            "The host \(JSONOutput.quoted(host, limit: 60)) is not a name of this server; add names with --host-name.")
    }

    private func checkOrigin(_ head: HTTPRequest, isEvaluation: Bool) throws(APIError) {
        let (fields, origin) = (head.headerFields, head.headerFields[.origin]?.lowercased())
        if let origin {
            if origin == "\(scheme)://\((head.authority ?? "").lowercased())" { return }
            if isEvaluation, origins.contains(origin) { return }
        } else if fields[.secFetchSite] != "cross-site" || fields[.secFetchMode] == "navigate" {
            // A browser of another origin may leave out Origin, but not these headers.
            return
        }
        let sender = origin.map { JSONOutput.quoted($0, limit: 80) } ?? "another site"
        throw APIError(
            .forbidden,
            "Requests of \(sender) are rejected; a web app may evaluate flags if its origin is allowed with --allow-origin."
        )
    }

    /// The origin to name in a response, if a web app of another origin may read it.
    func allowedOrigin(of head: HTTPRequest) -> String? {
        head.headerFields[.origin].flatMap { origins.contains($0.lowercased()) ? $0 : nil }
    }

    /// A host without its port, and an IPv6 address without its brackets. Other texts stay whole: `::1` has no port, and
    /// `127.0.0.1:7110@evil.com` names another host.
    static func bare(_ authority: String) -> String {
        var host = authority[...]
        if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.contains(":") ? authority : String(host)
    }
}

extension HTTPField.Name {
    /// These names are fixed, so `init` returns no `nil`.
    private static func fixed(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }

    /// A key of an app, as the OpenFeature clients send it.
    static let apiKey = fixed("X-API-Key")
    static let secFetchSite = fixed("Sec-Fetch-Site")
    static let secFetchMode = fixed("Sec-Fetch-Mode")
    /// The first `Host` is not among the fields.
    static let secondHost = fixed("Host")
    static let lastEventID = fixed("Last-Event-ID")
    static let referrerPolicy = fixed("Referrer-Policy")
    /// Asks a proxy to pass on each event at once.
    static let accelBuffering = fixed("X-Accel-Buffering")
}
#endif
