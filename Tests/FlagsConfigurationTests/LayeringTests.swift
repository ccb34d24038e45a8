#if Configuration
import Configuration
import Flags
import FlagsConfiguration
import Foundation
import TestSupport
import Testing

/// Flags with other providers.
struct LayeringTests {
    private let place = Workplace()
    private let flags = FlagStore.inMemory(["checkout.timeout": "30", "checkout.enabled": "true", "only.remote": "r"])

    @Test func `an override wins over the providers below until it is reset`() async throws {
        let config = ConfigReader(providers: [
            FlagsProvider(flags, layers: .overrides),
            InMemoryProvider(values: ["checkout.timeout": 10, "checkout.enabled": false]),
        ])
        #expect(config.int(forKey: "checkout.timeout") == 10)
        try await flags.setOverride("checkout.timeout", to: "60")
        #expect(config.int(forKey: "checkout.timeout") == 60)
        #expect(config.scoped(to: "checkout").int(forKey: "timeout") == 60)
        try await flags.clearOverride("checkout.timeout")
        #expect(config.int(forKey: "checkout.timeout") == 10)
    }

    @Test func `a provider of overrides has no remote values, a provider of all layers has them`() {
        #expect(ConfigReader(provider: FlagsProvider(flags, layers: .overrides)).string(forKey: "only.remote") == nil)
        #expect(ConfigReader(provider: FlagsProvider(flags)).string(forKey: "only.remote") == "r")
    }

    @Test func `overrides include launch and team values, and only all layers include the store's defaults`() {
        let flags = FlagStore(
            app: "shop",
            options: .init(
                overrides: .open, defaults: ["d": "default", "t": "default"], launch: ["l": "launch"],
                team: InMemoryTeam(["t": "team"]), announces: false, storeDirectory: place.path,
                cacheDirectory: place.path))
        let (all, overrides) = (
            ConfigReader(provider: FlagsProvider(flags)),
            ConfigReader(provider: FlagsProvider(flags, layers: .overrides))
        )
        #expect(["l", "t", "d"].map { all.string(forKey: ConfigKey($0)) } == ["launch", "team", "default"])
        #expect(["l", "t", "d"].map { overrides.string(forKey: ConfigKey($0)) } == ["launch", "team", nil])
    }

    @Test func `an override of the wrong type falls through to the remote value or next provider and is logged once`()
        async throws
    {
        let log = LogLines()
        let flags = FlagStore(
            app: "shop",
            options: .init(
                overrides: .open, launch: [:], announces: false, storeDirectory: place.path, cacheDirectory: place.path,
                logger: log.logger))
        flags.updateRemote(["checkout.enabled": "true"])
        try await flags.setOverride("checkout.enabled", to: "maybe", .unchecked)
        let all = ConfigReader(provider: FlagsProvider(flags))
        let layered = ConfigReader(providers: [
            FlagsProvider(flags, layers: .overrides), InMemoryProvider(values: ["checkout.enabled": true]),
        ])
        for _ in 1...3 {
            #expect(all.bool(forKey: "checkout.enabled", default: false))
            #expect(layered.bool(forKey: "checkout.enabled", default: false))
        }
        #expect(all.string(forKey: "checkout.enabled") == "maybe")
        #expect(
            log.lines == [
                #"warning: The flag "checkout.enabled" has "maybe" in the layer override, not a valid bool. "#
                    + "The next layer is used instead; reset or change the override."
            ])
    }

    @Test func `a snapshot does not see later changes`() async throws {
        let config = ConfigReader(provider: FlagsProvider(flags))
        let before = config.snapshot()
        try await flags.setOverride("checkout.timeout", to: "60")
        #expect(before.int(forKey: "checkout.timeout") == 30)
        #expect(config.snapshot().int(forKey: "checkout.timeout") == 60)
    }

    @Test func `an override of a scope is visible only in that scope`() {
        let config = ConfigReader(provider: FlagsProvider(flags, layers: .overrides))
        flags.withOverrides([.set("checkout.timeout", to: "1")]) {
            #expect(config.int(forKey: "checkout.timeout") == 1)
        }
        #expect(config.int(forKey: "checkout.timeout") == nil)
    }

    @Test func `a fetch through the reader fetches all values from the sources of the store`() async throws {
        let file = place.place("remote.json")
        place.write(#"{"a": 1}"#, to: "remote.json")
        let flags = FlagStore(
            app: "shop", sources: [RemoteFile(file, isFollowed: false)],
            options: .init(
                overrides: .open, launch: [:], announces: false, minimumFetchInterval: .zero,
                storeDirectory: "\(place.path)/state", cacheDirectory: "\(place.path)/cache"))
        let config = ConfigReader(provider: FlagsProvider(flags))
        #expect(config.int(forKey: "a") == 1)
        place.write(#"{"a": 200, "b": 3}"#, to: "later.json")
        #expect(rename(place.place("later.json"), file) == 0)
        #expect(config.int(forKey: "a") == 1)
        #expect(try await config.fetchInt(forKey: "a") == 200)
        #expect(config.int(forKey: "b") == 3)
    }

    @Test func `keys are joined by dots or by underscores`() {
        let flags = FlagStore.inMemory(["a.b": "dots", "a_b": "underscores"])
        func read(_ keys: KeySpelling) -> String? {
            ConfigReader(provider: FlagsProvider(flags, keys: keys)).string(forKey: "a.b")
        }
        #expect(read(.dots) == "dots")
        #expect(read(.underscores) == "underscores")
        let found = FlagsProvider(flags, keys: .underscores).value(forKey: "a.b", type: .string)
        #expect(found.encodedKey == "a_b")
        #expect(found.value?.isSecret == false)
    }

    @Test func `a provider's name contains its app, and its layers unless it has all`() {
        #expect(FlagsProvider(flags).providerName == "FlagsProvider[memory]")
        #expect("\(FlagsProvider(flags, layers: .overrides))" == "FlagsProvider[memory, overrides]")
        #expect(FlagsProvider(flags, layers: .overrides).snapshot().providerName == "FlagsProvider[memory, overrides]")
    }
}
#endif
