/// A parsed HTTP URL. Supports those parts of RFC 3986 that sources need: absolute URLs with a host, and references
/// resolved against them.
public struct SourceURL: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// `user:password`, not decoded; `nil` if there is none.
    public let userInfo: String?
    /// The host in lower case; an IPv6 address with its brackets.
    public let host: String
    /// The port; `nil` if the URL names none.
    public let port: Int?
    /// The path, from `/` on.
    public var path: String
    /// The text after `?`, not decoded; `nil` without `?`.
    public var query: String?

    /// Parses an absolute URL; `nil` for anything else, and for unsupported schemes or characters.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"\"<>\\^`{|}".utf8.contains($0) }),
            let separator = text.firstRange(of: "://")
        else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else { return nil }
        let withoutFragment = text[separator.upperBound...].prefix { $0 != "#" }
        let authorityEnd = withoutFragment.firstIndex { "/?".contains($0) } ?? withoutFragment.endIndex
        var authority = withoutFragment[..<authorityEnd]
        if let position = authority.lastIndex(of: "@") {
            userInfo = String(authority[..<position])
            authority = authority[authority.index(after: position)...]
        } else {
            userInfo = nil
        }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        (self.host, self.port) = (host, port)
        let target = withoutFragment[authorityEnd...]
        let mark = target.firstIndex(of: "?")
        let path = target[..<(mark ?? target.endIndex)]
        self.path = path.isEmpty ? "/" : String(path)
        query = mark.map { String(target[target.index(after: $0)...]) }
    }

    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let (host, afterHost) = (authority[..<hostEnd], authority[hostEnd...])
        // Systems decode percent-encoded hosts differently, so the one that a user has checked may not be the one that is
        // connected to.
        guard !host.isEmpty, !host.contains("%"), host.first == "[" || !host.contains(where: { "[]@".contains($0) })
        else { return nil }
        guard !afterHost.isEmpty, afterHost != ":" else { return (host.lowercased(), nil) }
        guard afterHost.first == ":", let port = Int(afterHost.dropFirst()), 1...65_535 ~= port else { return nil }
        return (host.lowercased(), port)
    }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { scheme == "https" }

    /// The port in the URL, else the default of the scheme.
    public var effectivePort: Int { port ?? (isSecure ? 443 : 80) }

    /// The host, and the port if the URL names one.
    public var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// The scheme, host and port. Credentials are sent only to the origin that they are for.
    public var origin: String { "\(scheme)://\(host):\(effectivePort)" }

    /// Whether the host is this machine: `localhost`, `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "[::1]"
            || numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// A short name of the document: the host and the last part of the path, such as `example.com/flags.json`.
    package var documentName: String {
        path.split(separator: "/").last.map { "\(authority)/\($0)" } ?? authority
    }

    /// Path and query, as in the request line.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The whole URL, including secrets.
    public var text: String { "\(scheme)://\(userInfo.map { "\($0)@" } ?? "")\(authority)\(target)" }

    /// The URL with a path appended.
    ///
    /// - Parameter addedPath: begins with `/`.
    public func adding(path addedPath: String) -> SourceURL {
        var result = self
        result.path = (path.hasSuffix("/") ? String(path.dropLast()) : path) + addedPath
        return result
    }

    /// The URL with a query item appended. The value is percent-encoded, the name is not.
    public func adding(query name: String, _ value: String) -> SourceURL {
        var result = self
        let item = "\(name)=\(PercentEncoding.encoded(value))"
        result.query = query.map { $0.isEmpty ? item : "\($0)&\(item)" } ?? item
        return result
    }

    /// The URL that a reference resolves to, such as a header `Location`; `nil` if the result is not an HTTP URL.
    public func resolving(_ reference: String) -> SourceURL? {
        if let absolute = SourceURL(reference) { return absolute }
        let root = "\(scheme)://\(authority)"
        if reference.hasPrefix("//") { return SourceURL("\(scheme):\(reference)") }
        if reference.hasPrefix("/") { return SourceURL(root + reference) }
        if reference.hasPrefix("?") { return SourceURL(root + path + reference) }
        guard !reference.isEmpty, !reference.contains("://") else { return nil }
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return SourceURL(root + folder + reference)
    }

    /// The base URL of a service, without trailing slashes.
    ///
    /// - Parameters:
    ///   - service: the service in words, such as `an Acme server`.
    ///   - example: a valid URL, for the error.
    ///   - credential: what to use instead of user information or a query in the URL, for the error.
    ///   - ends: the parts of the path that requests add, from the end. Users copy them with the URL, so they are left
    ///     out.
    /// - Throws: why the address is not valid.
    package init(
        base text: String, of service: String, example: String, insteadUse credential: String,
        without ends: [String] = []
    ) throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(.rejected, of: RedactedURL.typed(text), sentence)
        }
        guard var url = SourceURL(text) else {
            throw failure("not a valid URL of \(service); example: \(example)")
        }
        guard url.userInfo == nil, url.query == nil else {
            throw failure("the URL of \(service) must not contain credentials or a query; use \(credential)")
        }
        while url.path.hasSuffix("/"), url.path != "/" { url.path.removeLast() }
        for end in ends where url.path.hasSuffix(end) { url.path.removeLast(end.count) }
        if url.path.isEmpty { url.path = "/" }
        self = url
    }
}
