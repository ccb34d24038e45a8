#if Network
import FlagRemote
import FlagSourceHTTP
import Testing

/// Proxies from the environment.
struct ProxiesTests {
    private static let both = ["HTTPS_PROXY": "http://secure.example:3128", "http_proxy": "plain.example"]

    @Test(arguments: [
        ("https://flags.example", both, "secure.example:3128"),
        ("http://flags.example", both, "plain.example:1080"),
        ("http://flags.example", ["HTTP_PROXY": "http://evil.example"], nil),
        (
            "https://flags.example", ["https_proxy": "http://small.example:1", "HTTPS_PROXY": "http://b:2"],
            "small.example:1"
        ),
        ("https://flags.example", ["all_proxy": "http://all.example:9"], "all.example:9"),
        ("https://flags.example", [:], nil), ("https://flags.example", ["HTTPS_PROXY": ""], nil),
        ("https://flags.example", ["HTTPS_PROXY": "socks5://s.example"], nil),
    ])
    func `environment variables select the proxy for a URL`(
        url: String, environment: [String: String], expected: String?
    ) throws {
        let proxy = Proxies(environment: environment).proxy(for: try #require(SourceURL(url)))
        #expect(proxy.map { "\($0.host):\($0.port)" } == expected)
    }

    private static let unusable: [(url: String, environment: [String: String], words: String?)] = [
        (
            "https://flags.example", ["HTTPS_PROXY": "socks5://ana:hush@s.example"],
            "HTTPS_PROXY names a proxy of socks5"
        ),
        ("https://flags.example", ["HTTPS_PROXY": "https://p.example"], "HTTPS_PROXY names a proxy of https"),
        (
            "https://flags.example", ["HTTPS_PROXY": "socks5://s", "ALL_PROXY": "http://a.example"],
            "HTTPS_PROXY names a proxy of socks5"
        ),
        ("https://flags.example", ["ALL_PROXY": "socks5h://s"], "ALL_PROXY names a proxy of socks5h"),
        ("http://flags.example", ["http_proxy": "hush hush"], "http_proxy names an invalid proxy address"),
        ("http://flags.example", ["HTTPS_PROXY": "socks5://s"], nil),
        ("https://flags.example", ["HTTPS_PROXY": "socks5://s", "NO_PROXY": "flags.example"], nil),
        ("https://flags.example", both, nil),
    ]

    @Test(arguments: unusable)
    func `an unusable proxy is an error and is not bypassed`(url: String, environment: [String: String], words: String?)
        throws
    {
        let proxies = Proxies(environment: environment)
        let url = try #require(SourceURL(url))
        let sentence = proxies.invalidReason(for: url)?.sentence
        if let words {
            #expect(sentence?.contains(words) == true, "\(sentence ?? "none")")
            #expect(sentence?.contains("hush") == false && proxies.proxy(for: url) == nil)
        } else {
            #expect(sentence == nil)
        }
    }

    @Test(arguments: [
        ("flags.example", "flags.example", true), (".example", "flags.example", true),
        ("example", "flags.example", true), ("*.example", "flags.example", true), ("*", "flags.example", true),
        ("flags.example:443", "flags.example", true), ("flags.example:8443", "flags.example", false),
        ("lags.example", "flags.example", false), ("a, flags.example", "flags.example", true),
        ("", "flags.example", false), ("FLAGS.EXAMPLE", "flags.example", true),
        ("other.example", "flags.example", false),
        ("o.example,10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.0/9", "10.128.0.1", false), ("10.0.0.0/9", "10.127.0.1", true), ("0.0.0.0/0", "192.0.2.1", true),
        ("192.0.2.1/32", "192.0.2.1", true), ("192.0.2.1/32", "192.0.2.2", false),
        ("o.example,fd00::/8", "[fd12::1]", true), ("fd00::/8", "[fe80::1]", false),
        ("10.0.0.0/8", "ten.example", false), ("10.0.0.0/33", "10.0.0.1", false), ("10.0.0/8", "10.0.0.1", false),
        ("::1,127.0.0.1", "[::1]:8", true), ("::1,127.0.0.1", "127.0.0.1", true), ("::1,127.0.0.1", "[::2]", false),
    ])
    func `NO_PROXY lists hosts and ranges of addresses that are reached directly`(
        list: String, host: String, isDirect: Bool
    ) throws {
        let url = try #require(SourceURL("https://\(host)/"))
        for name in ["NO_PROXY", "no_proxy"] {
            let proxies = Proxies(environment: ["HTTPS_PROXY": "http://p.example", name: list])
            #expect((proxies.proxy(for: url) == nil) == isDirect, "\(name)")
        }
    }

    @Test func `a proxy's password is never shown`() throws {
        let proxies = Proxies(environment: ["HTTPS_PROXY": "http://ana:hush@p.example"])
        var dumped = "\(proxies)"
        dump(proxies, to: &dumped)
        #expect(!dumped.contains("hush"))
        let proxy = proxies.proxy(for: try #require(SourceURL("https://flags.example/")))
        #expect(proxy?.credentials?.reveal() == "ana:hush")
    }

    @Test func `only FLAGMENU_INSECURE_TLS=1 disables TLS verification`() {
        for (value, isOff) in [("1", true), ("true", false), ("", false), ("0", false), ("yes", false)] {
            let settings = TransportSettings(environment: ["FLAGMENU_INSECURE_TLS": value], userAgent: "x") { _ in }
            #expect((settings.trust == .nobodyIsVerified) == isOff, "\(value)")
        }
    }
}
#endif
