public import FlagSourceSupport

/// Which proxy leads to which host, by the conventions of curl.
public struct Proxies: Sendable, Hashable {
    /// A proxy of HTTP, reached by `CONNECT`.
    public struct Proxy: Sendable, Hashable {
        /// Its host.
        public let host: String
        /// Its port.
        public let port: Int
        /// `user:password`, where it wants one.
        public let credentials: Secret?
    }

    /// For `https`.
    public let secure: Proxy?
    /// For `http`.
    public let plain: Proxy?
    /// Hosts that are reached without one: names with everything below them, addresses, each with a port or without; `*`
    /// for all.
    public let exceptions: [String]

    /// No proxy.
    public static let none = Proxies(environment: [:])

    /// Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. The spelling in small letters wins, and
    /// `HTTP_PROXY` counts in small letters only, as a server that runs scripts sets the other one from a header.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            [name.lowercased(), name].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("ALL_PROXY").flatMap(Proxy.init)
        secure = value("HTTPS_PROXY").flatMap(Proxy.init) ?? all
        plain = environment["http_proxy"].flatMap(Proxy.init) ?? all
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// The proxy for an address; `nil` where it is reached without.
    public func proxy(for url: SourceURL) -> Proxy? {
        guard let proxy = url.isSecure ? secure : plain, !exceptions.contains(where: { Self.covers($0, url) }) else {
            return nil
        }
        return proxy
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
    /// Reads `http://user:password@host:port`; the scheme may be left out, and the port then is 1080, as for curl.
    init?(_ text: String) {
        let hasScheme = text.contains("://")
        guard let url = SourceURL(hasScheme ? text : "http://\(text)"), url.scheme == "http" else { return nil }
        host = url.host
        port = url.port ?? (hasScheme ? 80 : 1_080)
        credentials = url.userInfo.map { Secret(PercentEncoding.decoded($0)) }
    }
}
