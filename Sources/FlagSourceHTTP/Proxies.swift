public import FlagRemote

/// Which proxy to use for which host, by the conventions of curl.
public struct Proxies: Sendable, Hashable {
    /// An HTTP proxy, reached by `CONNECT`.
    public struct Proxy: Sendable, Hashable {
        /// Its host.
        public let host: String
        /// Its port.
        public let port: Int
        /// `user:password`, if it requires them.
        public let credentials: Secret?
    }

    /// For `https`.
    public var secure: Proxy? { secureWay.proxy }
    /// Hosts that are reached directly: names including subdomains, addresses, each with a port or without; `*` for
    /// all.
    public let exceptions: [String]

    /// No proxy.
    public static let none = Proxies(environment: [:])

    /// How a host is reached.
    fileprivate enum Way: Hashable {
        case direct
        case through(Proxy)
        case blocked(TransportObjection)

        var proxy: Proxy? { if case .through(let proxy) = self { proxy } else { nil } }
        var objection: TransportObjection? { if case .blocked(let objection) = self { objection } else { nil } }
    }

    private let secureWay: Way
    private let plainWay: Way

    /// Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. The lower-case spelling wins, and `HTTP_PROXY`
    /// counts in lower case only, as a CGI server sets the other one from a header.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            [name.lowercased(), name].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        func way(_ name: String, _ text: String?) -> Way? { text.map { Way($0, of: name) } }
        let all = way("ALL_PROXY", value("ALL_PROXY")) ?? .direct
        let plain = environment["http_proxy"].flatMap { $0.isEmpty ? nil : $0 }
        secureWay = way("HTTPS_PROXY", value("HTTPS_PROXY")) ?? all
        plainWay = way("http_proxy", plain) ?? all
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// The proxy for a URL; `nil` if it is reached directly, or if there is an ``objection(for:)``.
    public func proxy(for url: SourceURL) -> Proxy? { way(to: url).proxy }

    /// Why a URL cannot be reached: the variable for it names an unusable proxy, and a required proxy is never
    /// bypassed.
    public func objection(for url: SourceURL) -> TransportObjection? { way(to: url).objection }

    /// All errors, without duplicates.
    var objections: [TransportObjection] {
        let (secure, plain) = (secureWay.objection, plainWay.objection)
        return [secure, plain == secure ? nil : plain].compactMap { $0 }
    }

    private func way(to url: SourceURL) -> Way {
        if exceptions.contains(where: { Self.covers($0, url) }) { return .direct }
        return url.isSecure ? secureWay : plainWay
    }

    private static func covers(_ exception: String, _ url: SourceURL) -> Bool {
        if exception == "*" { return true }
        var name = exception[...]
        let bare = url.host.hasPrefix("[") ? url.host.dropFirst().dropLast() : url.host[...]
        if name == bare || name == url.host { return true }
        if let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]) {
            guard port == url.effectivePort else { return false }
            name = name[..<colon]
        }
        if name.hasPrefix("*") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        return !name.isEmpty && (url.host == name || bare == name || url.host.hasSuffix(".\(name)"))
    }
}

extension Proxies.Proxy {
    /// Parses `http://user:password@host:port`; the scheme is optional, and the default port is 1080, as for curl.
    init?(_ text: String) {
        let hasScheme = text.contains("://")
        guard let url = SourceURL(hasScheme ? text : "http://\(text)"), url.scheme == "http" else { return nil }
        host = url.host
        port = url.port ?? (hasScheme ? 80 : 1_080)
        credentials = url.userInfo.map { Secret(PercentEncoding.decoded($0)) }
    }
}

extension Proxies.Way {
    init(_ text: String, of variable: String) {
        if let proxy = Proxies.Proxy(text) {
            self = .through(proxy)
            return
        }
        // Only the scheme is shown: the rest may contain a password.
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        let isScheme = scheme?.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 } == true
        let found = scheme.flatMap { isScheme && $0 != "http" ? "a proxy of \($0.prefix(20))" : nil }
        self = .blocked(
            TransportObjection(
                variable: variable,
                sentence: "\(variable) names \(found ?? "an invalid proxy address"); use an http proxy, such as "
                    + "http://proxy.example:3128, or unset it: nothing bypasses a proxy"))
    }
}
