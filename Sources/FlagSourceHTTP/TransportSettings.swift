import FlagRemote

/// How a transport connects.
public struct TransportSettings: Sendable {
    /// The user agent that services receive, such as `flagmenu/1.0`.
    public var userAgent: String
    /// How long a connection may take to open; 5 seconds, half of the time limit of a response.
    public var connectTimeout = Duration.seconds(5)
    /// Which proxies are used.
    public var proxies: Proxies
    /// How certificates are verified.
    public var trust: Trust
    /// The certificate that is presented to services that request one; `nil` for none.
    public var clientCertificate: ClientCertificate?
    /// The IP addresses of hosts to connect to, instead of those that the system finds. URLs, headers and certificates
    /// still have the name of the host.
    package var addresses: [String: String] = [:]
    /// Called with warnings about a connection, such as that its certificate is not verified.
    public var warn: @Sendable (String) -> Void

    /// A certificate of this client, in PEM files.
    public struct ClientCertificate: Sendable, Hashable {
        /// The path of the certificate, followed by those of its authorities if the service needs them.
        public let path: String
        /// The path of the private key.
        public let keyPath: String

        /// A certificate and its key.
        public init(path: String, keyPath: String) { (self.path, self.keyPath) = (path, keyPath) }
    }

    /// How certificates are verified.
    public enum Trust: Sendable, Hashable {
        /// By the system's authorities.
        case system
        /// By the authorities in a PEM file, and no others.
        case authorities(path: String)
        /// By the system's authorities, and by a server's own certificate chain in a PEM file.
        case server(chainPath: String)
        /// Certificates are not verified: anyone between here and the service can read and change everything. There is
        /// a warning for each origin.
        case nobodyIsVerified
    }

    /// Settings; each default is described at its property.
    public init(
        userAgent: String = "flagmenu", proxies: Proxies = .none, trust: Trust = .system,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.userAgent = userAgent
        self.proxies = proxies
        self.trust = trust
        self.warn = warn
    }

    /// The variable that disables verification. It has a long name and one valid value, so that it is not set by
    /// accident.
    public static let insecureVariable = "FLAGMENU_INSECURE_TLS"
    /// The variable that names a file of authorities, as for OpenSSL and curl.
    public static let authoritiesVariable = "SSL_CERT_FILE"

    /// Settings from environment variables: those of ``Proxies``, `SSL_CERT_FILE` and ``insecureVariable``.
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
