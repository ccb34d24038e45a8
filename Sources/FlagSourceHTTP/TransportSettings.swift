import FlagRemote

/// How a transport reaches the world; by default the usual way.
public struct TransportSettings: Sendable {
    /// What the services are told is asking, such as `flagmenu/1.0`.
    public var userAgent: String
    /// How long a connection may take to come about; 5 seconds, half of what a service may take to answer.
    public var connectTimeout: Duration
    /// Which proxies are used.
    public var proxies: Proxies
    /// How certificates are judged.
    public var trust: Trust
    /// Told what somebody has to know about a connection, such as that its certificate is not looked at.
    public var warn: @Sendable (String) -> Void

    /// How certificates are judged.
    public enum Trust: Sendable, Hashable {
        /// By the authorities of the system.
        case system
        /// By the authorities in a file of PEM, and no others.
        case authorities(path: String)
        /// Not at all: anybody between here and the service can read and change everything. Each origin is warned of.
        case nobodyIsVerified
    }

    /// Settings; what is left out is as described at each.
    public init(
        userAgent: String = "flagmenu", connectTimeout: Duration = .seconds(5), proxies: Proxies = .none,
        trust: Trust = .system, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.proxies = proxies
        self.trust = trust
        self.warn = warn
    }

    /// The variable that switches verification off. It has a long name and one value that works, so that it is not set by
    /// accident.
    public static let insecureVariable = "FLAGMENU_INSECURE_TLS"
    /// The variable that names a file of authorities, as for OpenSSL and curl.
    public static let authoritiesVariable = "SSL_CERT_FILE"

    /// What the environment of a process asks for: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, `SSL_CERT_FILE` and
    /// ``insecureVariable``.
    public init(
        environment: [String: String], userAgent: String, warn: @escaping @Sendable (String) -> Void
    ) {
        self.init(userAgent: userAgent, proxies: Proxies(environment: environment), warn: warn)
        if environment[Self.insecureVariable] == "1" {
            trust = .nobodyIsVerified
        } else if let path = environment[Self.authoritiesVariable], !path.isEmpty {
            trust = .authorities(path: path)
        }
    }
}
