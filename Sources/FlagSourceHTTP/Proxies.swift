public import FlagRemote

/// Which proxy to use for which host, by the conventions of curl.
public struct Proxies: Sendable, Hashable {
    /// An HTTP proxy. It opens tunnels for `https`, with the method `CONNECT`, and forwards requests of `http`.
    public struct Proxy: Sendable, Hashable {
        /// The proxy's host.
        public let host: String
        /// The proxy's port.
        public let port: Int
        /// `user:password`; `nil` if the variable has none.
        public let credentials: Secret?
    }

    /// Hosts that are reached without a proxy: names, which include their subdomains, and addresses, each with or
    /// without a port; ranges of addresses such as `10.0.0.0/8`; `*` for all hosts.
    private let exceptions: [String]

    /// No proxy.
    public static let none = Proxies(environment: [:])

    /// How hosts are reached: through a proxy, directly, or not at all.
    typealias Way = Result<Proxy?, TransportWarning>

    private let secureWay: Way
    private let plainWay: Way

    /// Reads `HTTPS_PROXY`, `http_proxy`, `ALL_PROXY` and `NO_PROXY`. A variable in lower case wins over the same one
    /// in upper case; `HTTP_PROXY` is not read, as a CGI server sets it from a header.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            [name.lowercased(), name].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        func way(_ name: String, _ text: String?) -> Way? { text.map { Self.way($0, of: name) } }
        let all = way("ALL_PROXY", value("ALL_PROXY")) ?? .success(nil)
        let plain = environment["http_proxy"].flatMap { $0.isEmpty ? nil : $0 }
        secureWay = way("HTTPS_PROXY", value("HTTPS_PROXY")) ?? all
        plainWay = way("http_proxy", plain) ?? all
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// The proxy for a URL; `nil` if the URL is reached directly, or there is an ``invalidReason(for:)``.
    public func proxy(for url: SourceURL) -> Proxy? { try? way(to: url).get() }

    /// Why a URL cannot be reached; `nil` if it can. If a variable names an invalid proxy, requests do not bypass the
    /// proxy.
    public func invalidReason(for url: SourceURL) -> TransportWarning? { Self.invalidReason(of: way(to: url)) }

    /// All errors, without duplicates.
    var invalidReasons: [TransportWarning] {
        (secureWay == plainWay ? [secureWay] : [secureWay, plainWay]).compactMap(Self.invalidReason)
    }

    private static func invalidReason(of way: Way) -> TransportWarning? {
        if case .failure(let warning) = way { warning } else { nil }
    }

    func way(to url: SourceURL) -> Way {
        // A proxy would get unencrypted credentials for a service on this machine.
        if !url.isSecure, url.isLoopback { return .success(nil) }
        if exceptions.contains(where: { Self.covers($0, url) }) { return .success(nil) }
        return url.isSecure ? secureWay : plainWay
    }

    /// Whether an exception applies to the host and port of a URL.
    private static func covers(_ exception: String, _ url: SourceURL) -> Bool {
        if exception == "*" { return true }
        var name = exception[...]
        let hostWithoutBrackets = url.host.hasPrefix("[") ? url.host.dropFirst().dropLast() : url.host[...]
        if name == hostWithoutBrackets || name == url.host { return true }
        if let range = AddressRange(name) { return range.contains(hostWithoutBrackets) }
        if let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]) {
            guard port == url.effectivePort else { return false }
            name = name[..<colon]
        }
        if name.hasPrefix("*") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        return !name.isEmpty && (url.host == name || hostWithoutBrackets == name || url.host.hasSuffix(".\(name)"))
    }
}

extension Proxies.Proxy {
    /// Parses `http://user:password@host:port`. The scheme is optional. The default port is 80 with a scheme and, as in
    /// curl, 1080 without a scheme.
    init?(_ text: String) {
        let hasScheme = text.contains("://")
        guard let url = SourceURL(hasScheme ? text : "http://\(text)"), url.scheme == "http" else { return nil }
        host = url.host
        port = url.port ?? (hasScheme ? 80 : 1_080)
        credentials = url.userInfo.map { Secret(PercentEncoding.decoded($0)) }
    }
}

extension Proxies {
    private static func way(_ text: String, of variable: String) -> Way {
        if let proxy = Proxy(text) { return .success(proxy) }
        // Only the scheme is shown, as the text after it may contain a password.
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        let isScheme = scheme?.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 } == true
        let kind = scheme.flatMap { isScheme && $0 != "http" ? "a proxy of \($0.prefix(20))" : nil }
        return .failure(
            TransportWarning(
                variable: variable,
                sentence: "\(variable) names \(kind ?? "an invalid proxy address"); use an http proxy, such as "
                    + "http://proxy.example:3128, or unset it: nothing bypasses a proxy"))
    }
}
