#if Configuration
import Configuration
import Flags
import FlagsConfiguration
import Testing

/// The Swift of the article FlagsConfiguration, word for word.
private func server() async throws {
    let flags = FlagStore(app: "shop-server", options: .init(overrides: .whenSet("SHOP_OVERRIDES")))
    let config = ConfigReader(providers: [
        FlagsProvider(flags, layers: .overrides),
        EnvironmentVariablesProvider(),
        InMemoryProvider(values: ["checkout.timeout": 10, "checkout.is-open": true]),
    ])
    let timeout = config.int(forKey: "checkout.timeout", default: 5)

    let pool = Pool(timeout: timeout)
    try await config.watchInt(forKey: "checkout.timeout", default: 5) { timeouts in
        for try await timeout in timeouts { await pool.use(timeout: timeout) }
    }
}

/// What a server has open.
private actor Pool {
    private(set) var timeout: Int

    init(timeout: Int) { self.timeout = timeout }

    func use(timeout: Int) { self.timeout = timeout }
}

/// The article's custom keys.
struct ArticleSnippets {
    @Test func `a custom key spelling adds a prefix and joins the parts with slashes`() {
        let flags = FlagStore.inMemory(["server/checkout/timeout": "7"])
        let provider = FlagsProvider(flags, keys: KeySpelling { "server/" + $0.components.joined(separator: "/") })
        #expect(ConfigReader(provider: provider).int(forKey: "checkout.timeout") == 7)
    }
}
#endif
