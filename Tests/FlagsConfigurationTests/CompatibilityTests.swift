#if Configuration
import Configuration
import ConfigurationTesting
import Flags
import FlagsConfiguration
import Testing

/// The compatibility suite of swift-configuration.
struct CompatibilityTests {
    private static let values = [
        "string": "Hello", "other.string": "Other Hello",
        "int": "42", "other.int": "24",
        "double": "3.14", "other.double": "2.72",
        "bool": "true", "other.bool": "off",
        "bytes": "ZmxhZw==", "other.bytes": "bWVudQ==",
        "stringy.array": #"["Hello", "World"]"#, "other.stringy.array": #"["Hello", "Swift"]"#,
        "inty.array": "[42, 24]", "other.inty.array": "[16, 32]",
        "doubly.array": "[3.14, 2.72]", "other.doubly.array": "[0.9, 1.8]",
        "booly.array": "[true, false]", "other.booly.array": "[false, true, true]",
        "byteChunky.array": #"["ZmxhZw==", "bWVudQ=="]"#,
        "other.byteChunky.array": #"["ZmxhZw==", "bWVudQ==", "ZmxhZw=="]"#,
    ]
    // The suite's bytes are private, so these values replace them.
    private static let bytes: [String: ConfigContent] = [
        "bytes": .bytes(flag), "other.bytes": .bytes(menu), "byteChunky.array": .byteChunkArray([flag, menu]),
        "other.byteChunky.array": .byteChunkArray([flag, menu, flag]),
    ]
    private static let flag = Array("flag".utf8)
    private static let menu = Array("menu".utf8)

    @Test func `a provider of all layers passes the compatibility suite`() async throws {
        let provider = FlagsProvider(.inMemory(FlagTable(Self.values)))
        try await ProviderCompatTest(provider: provider, configuration: .init(overrides: Self.bytes)).runTest()
    }

    @Test func `a provider of overrides passes the compatibility suite`() async throws {
        let flags = FlagStore.inMemory()
        for (key, text) in Self.values { try await flags.setOverride(key, to: text) }
        let provider = FlagsProvider(flags, layers: .overrides)
        try await ProviderCompatTest(provider: provider, configuration: .init(overrides: Self.bytes)).runTest()
    }
}
#endif
